import { afford } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { isUuid } from '../base/ids.ts'
import { JsonText } from '../base/json-text.ts'
import { turns } from '../base/turns.ts'
import type { Blobs } from '../ports/blobs.ts'
import { cancelFamily, countLiving, reopenParent } from '../store/families.ts'
import { jobOfIdempotencyKey, useIdempotencyKey } from '../store/idempotency.ts'
import { findJob, insertJobs, type JobRow } from '../store/jobs.ts'
import { lockFamily, lockTeam } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import type { Families } from './family.ts'
import { type JobKind, newJobRow, type Order } from './job.ts'

export interface QueueNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
  families: Families
}

/** A parent and its children, submitted together or not at all. */
export interface Family<Input> {
  kind: string
  order: Order<unknown>
  children: { kind: JobKind<Input, unknown>; orders: Order<Input>[] }
  idempotencyKey: string | undefined
  /** So many of the children may be queued or running at once; the others are held. */
  mostLiving?: number | undefined
  /** What else is written with the family: all of it is acknowledged together or not at all. */
  also?: (transaction: Queryable, parent: JobRow) => Promise<void>
}

/** Submits background jobs, reads and cancels them. What was submitted is on the disk before this answers. */
export function createQueue({ store, blobs, clock, families }: QueueNeeds) {
  async function find(team: Team, id: string, kind: string): Promise<JobRow> {
    if (!isUuid(id)) throw new AppError('INVALID_JOB_ID')
    const row = await findJob(store.query, id.toLowerCase())
    if (!row || row.kind !== kind) throw new AppError('JOB_NOT_FOUND')
    if (row.team_id !== team.id) throw new AppError('FORBIDDEN')
    return row
  }

  return {
    async submitFamily<Input>(family: Family<Input>): Promise<JobRow> {
      const now = clock.now()
      const { team } = family.order
      const parentKind = {
        kind: family.kind,
        takesSlot: false,
        onRecord: () => ({}),
        run: () => Promise.reject(),
      }
      const parent: JobRow = {
        ...newJobRow(parentKind, family.order, now),
        state: 'running',
        started_at: now,
      }
      const children = await childrenOf(parent, family.children, now)
      const mostLiving = family.mostLiving ?? children.length
      for (const child of children.slice(mostLiving)) child.state = 'held'
      await store.transaction(async (transaction) => {
        const locked = await lockTeam(store, transaction, team.id)
        await useKey(transaction, team, { key: family.idempotencyKey, jobId: parent.id, now })
        const credits = children.reduce((sum, child) => sum + child.credits, 0)
        await afford(transaction, team, { balance: locked?.balance ?? null, credits })
        await insertJobs(transaction, [parent, ...children])
        await family.also?.(transaction, parent)
      })
      store.notify('queued', team.id)
      store.notify('deliveries', '')
      return parent
    },

    /** Adds children to a parent that runs, or that has completed and runs again from now on. */
    async submitMore<Input>(
      parent: JobRow,
      more: Pick<Family<Input>, 'children' | 'mostLiving' | 'idempotencyKey'>,
    ): Promise<void> {
      const now = clock.now()
      const children = await childrenOf(parent, more.children, now)
      const team = more.children.orders[0]?.team
      if (!team) return
      await store.transaction(async (transaction) => {
        const current = await lockFamily(store, transaction, parent.id)
        if (current?.state !== 'running' && current?.state !== 'completed')
          throw new AppError('JOB_ALREADY_ENDED')
        const locked = await lockTeam(store, transaction, team.id)
        // Under the lock of the team everywhere: whoever used the same key may hold that and wait for us.
        await useKey(transaction, team, { key: more.idempotencyKey, jobId: parent.id, now })
        const credits = children.reduce((sum, child) => sum + child.credits, 0)
        await afford(transaction, team, { balance: locked?.balance ?? null, credits })
        if (more.mostLiving !== undefined) {
          const free = more.mostLiving - (await countLiving(transaction, parent.id))
          for (const child of children.slice(Math.max(0, free))) child.state = 'held'
        }
        if (current.state === 'completed') await reopenParent(transaction, parent.id)
        await insertJobs(transaction, children)
      })
      store.notify('queued', team.id)
    },

    /** A job of this team; another team's is as forbidden as an unknown one is unknown. */
    find,

    /** The same for those who are not told whether another team has such a job. */
    async findOwn(team: Team, id: string, kind: string): Promise<JobRow> {
      return find(team, id, kind).catch((thrown) => {
        const isForeign = thrown instanceof AppError && thrown.code === 'FORBIDDEN'
        throw isForeign ? new AppError('JOB_NOT_FOUND') : thrown
      })
    },

    /** What a finished job brought, as it was written, or undefined where nothing was kept. */
    async resultOf(row: JobRow): Promise<JsonText | undefined> {
      if (row.result !== null) return JsonText.ofBytes(Buffer.from(row.result))
      const opened = row.result_blob === null ? undefined : await blobs.open(row.result_blob)
      return opened && new JsonText(opened.size, opened.chunks)
    },

    async cancel(row: JobRow): Promise<void> {
      if (row.state !== 'queued' && row.state !== 'running') throw new AppError('JOB_ALREADY_ENDED')
      const children = await store.transaction(async (transaction) => {
        const parent = await lockFamily(store, transaction, row.id)
        if (parent?.state !== 'running' && parent?.state !== 'queued') throw new AppError('JOB_ALREADY_ENDED')
        const error = new AppError('SCRAPE_JOB_CANCELLED', {}, { message: byCaller }).toStored()
        const ids = await cancelFamily(transaction, row.id, { error, now: clock.now() })
        await families.parentEnded(transaction, parent, { state: 'cancelled', error })
        return ids
      })
      for (const id of [row.id, ...children]) store.notify('cancelled', id)
      store.notify('slot', row.team_id)
      store.notify('deliveries', '')
    },
  }
}

const byCaller = 'The job was cancelled by a call of its team. What it had scraped until then can be read.'

export type Queue = ReturnType<typeof createQueue>

/** There may be thousands, so everything else gets its turn meanwhile. */
async function childrenOf<Input>(
  parent: JobRow,
  { kind, orders }: Family<Input>['children'],
  now: number,
): Promise<JobRow[]> {
  const turn = turns()
  const children: JobRow[] = []
  for (const order of orders) {
    if (turn.isOver()) await turn.next()
    children.push({ ...newJobRow(kind, order, now), parent_id: parent.id })
  }
  return children
}

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
