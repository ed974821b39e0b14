import { afford } from '../accounts/billing.ts'
import { insertJobs, type JobRow } from '../store/jobs.ts'
import { startJob } from '../store/leases.ts'
import { lockJobs, lockSlots, lockTeam } from '../store/locks.ts'
import type { Queryable } from '../store/schema.ts'
import { hasFreeSlot } from '../store/slots.ts'
import { claimKey } from './idempotency-key.ts'
import type { Order } from './job.ts'
import { tellJob } from './job-news.ts'
import type { RunNeeds } from './run-job.ts'

export interface SlotNeeds extends Pick<RunNeeds, 'store' | 'holder'> {
  /** Slots of a team that has no number of its own. */
  concurrency: number
}

/** Inserts the job as running when the team has a free slot and nobody waits for it, else as waiting. */
export async function admit<Input>(
  { store, holder, concurrency }: SlotNeeds,
  row: JobRow,
  order: Order<Input>,
): Promise<boolean> {
  const lease = holder.lease()
  const insert = async (transaction: Queryable) => {
    if (row.takes_slot === 1) await lockSlots(store, transaction, row.team_id)
    const team = await lockTeam(store, transaction, row.team_id)
    await afford(transaction, order.team, { balance: team?.balance ?? null, credits: order.price })
    await claimKey(transaction, row, order.idempotency)
    const slots = { most: team?.concurrency ?? concurrency, now: lease.now }
    const isFree = row.takes_slot === 0 || (await hasFreeSlot(transaction, row, slots))
    const held = { ...row, leased_by: lease.holder, lease_until: lease.until }
    const started = { ...held, state: 'running' as const, started_at: lease.now, attempts: 1 }
    await insertJobs(transaction, [isFree ? started : held])
    return isFree
  }
  // The caller has no answer yet: a power cut that takes the record takes the call with it.
  const isStarted = await store.transaction(insert, { durable: false })
  if (isStarted) tellJob(store, row, { state: 'running', at: lease.now })
  return isStarted
}

/** Starts a job that waits, where a slot of its team is free now and it comes next. */
export async function tryStart({ store, holder, concurrency }: SlotNeeds, row: JobRow): Promise<boolean> {
  const lease = holder.lease()
  const isStarted = await store.transaction(async (transaction) => {
    await lockJobs(store, transaction, [row.id])
    await lockSlots(store, transaction, row.team_id)
    const team = await lockTeam(store, transaction, row.team_id)
    const slots = { most: team?.concurrency ?? concurrency, now: lease.now }
    return (await hasFreeSlot(transaction, row, slots)) && startJob(transaction, row.id, lease)
  })
  if (isStarted) tellJob(store, row, { state: 'running', at: lease.now })
  return isStarted
}
