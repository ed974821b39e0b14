import { afford } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { createTimeSlice } from '../platform/time-slice.ts'
import { jobOfIdempotencyKey, useIdempotencyKey } from '../store/jobs/idempotency.ts'
import { insertJobs, type JobRow } from '../store/jobs/jobs.ts'
import { countActiveLeaves, reopenParent } from '../store/jobs/parents.ts'
import { lockParent, lockTeam } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { type BackgroundKind, newJobRow, type Order } from './job.ts'
import { publishJobChange } from './job-events.ts'

interface SubmitDeps {
  store: Store
  clock: Clock
}

/** A parent and its children, submitted together or not at all. */
export interface ParentJobRequest<Input> {
  kind: string
  order: Order<unknown>
  children: { kind: BackgroundKind<Input, unknown>; orders: Order<Input>[] }
  idempotencyKey: string | undefined
  /** At most this many of the children may be queued or running at once; the others are held. */
  mostLiving?: number | undefined
  /** What else is written with it: all of it is acknowledged together or not at all. */
  also?: (transaction: Queryable, parent: JobRow) => Promise<void>
}

export async function submitParent<Input>(
  { store, clock }: SubmitDeps,
  submitted: ParentJobRequest<Input>,
): Promise<JobRow> {
  const now = clock.now()
  const { team } = submitted.order
  const parent: JobRow = {
    ...newJobRow({ kind: submitted.kind, takesSlot: false }, submitted.order, now),
    state: 'running',
    started_at: now,
  }
  const ready = await childrenOf(parent, submitted.children, now)
  const children = holdBeyond(ready, submitted.mostLiving ?? ready.length)
  await store.transaction(async (transaction) => {
    const locked = await lockTeam(store, transaction, team.id)
    await useKey(transaction, team, { key: submitted.idempotencyKey, jobId: parent.id, now })
    await afford(transaction, team, { balance: locked?.balance ?? null, credits: creditsOf(children) })
    await insertJobs(transaction, [parent, ...children])
    await submitted.also?.(transaction, parent)
  })
  store.notify('queued', team.id)
  store.notify('deliveries', '')
  publishJobChange(store, parent, { state: 'running', at: now })
  return parent
}

/** Adds children to a parent that runs, or that has completed and runs again from now on. */
export async function submitMore<Input>(
  { store, clock }: SubmitDeps,
  parent: JobRow,
  more: Pick<ParentJobRequest<Input>, 'children' | 'mostLiving' | 'idempotencyKey'>,
): Promise<void> {
  const now = clock.now()
  const children = await childrenOf(parent, more.children, now)
  const team = more.children.orders[0]?.team
  if (!team) return
  const isReopened = await store.transaction(async (transaction) => {
    const current = await lockParent(store, transaction, parent.id)
    if (current?.state !== 'running' && current?.state !== 'completed')
      throw new AppError('JOB_ALREADY_ENDED')
    const locked = await lockTeam(store, transaction, team.id)
    // Under the lock of the team everywhere: another call with the same key may hold that and wait for us.
    await useKey(transaction, team, { key: more.idempotencyKey, jobId: parent.id, now })
    await afford(transaction, team, { balance: locked?.balance ?? null, credits: creditsOf(children) })
    const { mostLiving } = more
    const free =
      mostLiving === undefined
        ? children.length
        : mostLiving - (await countActiveLeaves(transaction, parent.id))
    if (current.state === 'completed') await reopenParent(transaction, parent.id)
    await insertJobs(transaction, holdBeyond(children, free))
    return current.state === 'completed'
  })
  store.notify('queued', team.id)
  if (isReopened) publishJobChange(store, parent, { state: 'running', at: now })
}

/** There may be thousands, so everything else gets its turn meanwhile. */
async function childrenOf<Input>(
  parent: JobRow,
  { kind, orders }: ParentJobRequest<Input>['children'],
  now: number,
): Promise<readonly Readonly<JobRow>[]> {
  const pauses = createTimeSlice()
  const children: JobRow[] = []
  for (const order of orders) {
    if (pauses.isDue()) await pauses.take()
    children.push({ ...newJobRow(kind, order, now), parent_id: parent.id })
  }
  return children
}

/** Returns new rows: a transaction that the database rolled back runs again with the rows that it started with. */
function holdBeyond(children: readonly JobRow[], free: number): JobRow[] {
  return children.map((child, index) => (index < free ? child : { ...child, state: 'held' }))
}

const creditsOf = (children: readonly JobRow[]) => children.reduce((sum, child) => sum + child.credits, 0)

async function useKey(
  transaction: Queryable,
  team: Team,
  use: { key: string | undefined; jobId: string; now: number },
): Promise<void> {
  const { key, ...rest } = use
  if (key === undefined || (await useIdempotencyKey(transaction, { ...rest, teamId: team.id, key }))) return
  const id = await jobOfIdempotencyKey(transaction, team.id, key)
  throw new AppError('IDEMPOTENCY_KEY_REUSED', { id })
}
