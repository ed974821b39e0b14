import { afford } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { createTimeSlice } from '../platform/time-slice.ts'
import { findIdempotencyUse, useIdempotencyKey } from '../store/jobs/idempotency.ts'
import { insertJobs, type JobRow } from '../store/jobs/jobs.ts'
import { countActiveLeaves, reopenParent } from '../store/jobs/parents.ts'
import { lockParent, lockTeam } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { type BackgroundKind, type JobRequest, newJobRow } from './job.ts'
import { publishJobChange } from './job-events.ts'

interface SubmitDeps {
  store: Store
  clock: Clock
}

export interface ParentJobRequest<Input> {
  kind: string
  request: JobRequest<unknown>
  children: { kind: BackgroundKind<Input, unknown>; requests: JobRequest<Input>[] }
  idempotencyKey: string | undefined
  maxActive?: number | undefined
  afterInsert?: (transaction: Queryable, parent: JobRow) => Promise<void>
}

export async function submitParent<Input>({ store, clock }: SubmitDeps, submitted: ParentJobRequest<Input>) {
  const now = clock.now()
  const { team } = submitted.request
  const parent: JobRow = {
    ...newJobRow({ kind: submitted.kind, takesSlot: false }, submitted.request, now),
    state: 'running',
    started_at: now,
  }
  const ready = await buildChildren(parent, submitted.children, now)
  const children = holdBeyond(ready, submitted.maxActive ?? ready.length)
  await store.transaction(async (transaction) => {
    const locked = await lockTeam(store, transaction, team.id)
    await claimKey(transaction, team, { key: submitted.idempotencyKey, jobId: parent.id, now })
    await afford(transaction, team, { balance: locked?.balance ?? null, credits: sumCredits(children) })
    await insertJobs(transaction, [parent, ...children])
    await submitted.afterInsert?.(transaction, parent)
  })
  store.notify('queued', team.id)
  store.notify('deliveries', '')
  publishJobChange(store, parent, { state: 'running', at: now })
  return parent
}

export async function submitMore<Input>(
  { store, clock }: SubmitDeps,
  parent: JobRow,
  more: Pick<ParentJobRequest<Input>, 'children' | 'maxActive' | 'idempotencyKey'>,
): Promise<void> {
  const now = clock.now()
  const children = await buildChildren(parent, more.children, now)
  const team = more.children.requests[0]?.team
  if (!team) return
  const isReopened = await store.transaction(async (transaction) => {
    const current = await lockParent(store, transaction, parent.id)
    if (current?.state !== 'running' && current?.state !== 'completed')
      throw new AppError('JOB_ALREADY_ENDED')
    const locked = await lockTeam(store, transaction, team.id)
    // Always claimed under the lock of the team: another call with the key may hold this lock and wait for us.
    await claimKey(transaction, team, { key: more.idempotencyKey, jobId: parent.id, now })
    await afford(transaction, team, { balance: locked?.balance ?? null, credits: sumCredits(children) })
    const { maxActive } = more
    const capacity =
      maxActive === undefined
        ? children.length
        : maxActive - (await countActiveLeaves(transaction, parent.id))
    if (current.state === 'completed') await reopenParent(transaction, parent.id)
    await insertJobs(transaction, holdBeyond(children, capacity))
    return current.state === 'completed'
  })
  store.notify('queued', team.id)
  if (isReopened) publishJobChange(store, parent, { state: 'running', at: now })
}

async function buildChildren<Input>(
  parent: JobRow,
  { kind, requests }: ParentJobRequest<Input>['children'],
  now: number,
): Promise<readonly Readonly<JobRow>[]> {
  const timeSlice = createTimeSlice()
  const children: JobRow[] = []
  for (const request of requests) {
    if (timeSlice.isDue()) await timeSlice.take()
    children.push({ ...newJobRow(kind, request, now), parent_id: parent.id })
  }
  return children
}

/** Returns new rows, because a transaction that the database rolled back runs again with the original ones. */
function holdBeyond(children: readonly JobRow[], capacity: number): JobRow[] {
  return children.map((child, index) => (index < capacity ? child : { ...child, state: 'held' }))
}

const sumCredits = (children: readonly JobRow[]) => children.reduce((sum, child) => sum + child.credits, 0)

async function claimKey(
  transaction: Queryable,
  team: Team,
  use: { key: string | undefined; jobId: string; now: number },
): Promise<void> {
  const { key, ...rest } = use
  if (key === undefined || (await useIdempotencyKey(transaction, { ...rest, teamId: team.id, key }))) return
  const used = await findIdempotencyUse(transaction, team.id, key)
  throw new AppError('IDEMPOTENCY_KEY_REUSED', { id: used?.job_id })
}
