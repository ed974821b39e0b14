import { afford } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { isUuid } from '../base/ids.ts'
import type { Blobs } from '../ports/blobs.ts'
import { jobOfIdempotencyKey, useIdempotencyKey } from '../store/idempotency.ts'
import { cancelFamily, findJob, insertJobs, type JobRow } from '../store/jobs.ts'
import { lockTeam } from '../store/leases.ts'
import type { Store } from '../store/schema.ts'
import { type JobKind, newJobRow, type Order } from './job.ts'

export interface QueueNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
}

/** A parent and its children, submitted together or not at all. */
export interface Family<Input> {
  kind: string
  order: Order<unknown>
  children: { kind: JobKind<Input, unknown>; orders: Order<Input>[] }
  idempotencyKey: string | undefined
}

/** Submits background jobs, reads and cancels them. What was submitted is on the disk before this answers. */
export function createQueue({ store, blobs, clock }: QueueNeeds) {
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
      const children = family.children.orders.map((order) => ({
        ...newJobRow(family.children.kind, order, now),
        parent_id: parent.id,
      }))
      await store.transaction(async (transaction) => {
        const locked = await lockTeam(store, transaction, team.id)
        const key = family.idempotencyKey
        if (key !== undefined) {
          const use = { teamId: team.id, key, jobId: parent.id, now }
          if (!(await useIdempotencyKey(transaction, use))) {
            throw new AppError('IDEMPOTENCY_KEY_REUSED', {
              id: await jobOfIdempotencyKey(transaction, team.id, key),
            })
          }
        }
        const credits = children.reduce((sum, child) => sum + child.credits, 0)
        await afford(transaction, team, { balance: locked?.balance ?? null, credits })
        await insertJobs(transaction, [parent, ...children])
      })
      store.notify('queued', team.id)
      return parent
    },

    /** A job of this team; another team's is as forbidden as an unknown one is unknown. */
    async find(team: Team, id: string, kind: string): Promise<JobRow> {
      if (!isUuid(id)) throw new AppError('INVALID_JOB_ID')
      const row = await findJob(store.query, id.toLowerCase())
      if (!row || row.kind !== kind) throw new AppError('JOB_NOT_FOUND')
      if (row.team_id !== team.id) throw new AppError('FORBIDDEN')
      return row
    },

    /** What a finished job brought, or undefined where nothing was kept. */
    async resultOf(row: JobRow): Promise<unknown> {
      if (row.result !== null) return JSON.parse(row.result)
      if (row.result_blob === null) return undefined
      const bytes = await blobs.get(row.result_blob)
      return bytes && JSON.parse(Buffer.from(bytes).toString())
    },

    async cancel(row: JobRow): Promise<void> {
      if (row.state !== 'queued' && row.state !== 'running') throw new AppError('JOB_ALREADY_ENDED')
      const children = await cancelFamily(store.query, row.id, clock.now())
      for (const id of [row.id, ...children]) store.notify('cancelled', id)
      store.notify('slot', row.team_id)
    },
  }
}

export type Queue = ReturnType<typeof createQueue>
