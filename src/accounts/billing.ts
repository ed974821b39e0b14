import { AppError } from '../platform/errors.ts'
import { appendEntries } from '../store/credits.ts'
import { sumReservedCredits } from '../store/jobs/jobs.ts'
import { lockBalance } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import type { Team } from './team.ts'

/**
 * Checks that the team can pay for these jobs in addition to those that already run. Call it in the transaction that
 * inserts the jobs and holds the lock on the team, so that two calls never spend the same credit.
 */
export async function afford(
  query: Queryable,
  team: Team,
  order: { balance: number | null; credits: number },
): Promise<void> {
  if (order.balance === null) return
  const free = order.balance - (await sumReservedCredits(query, team.id))
  if (free >= order.credits) return
  throw new AppError('CREDITS_EXHAUSTED', {
    neededCredits: order.credits,
    remainingCredits: Math.max(0, free),
  })
}

/** How many more jobs of this price the team can pay for. */
export async function countAffordable(
  store: Store,
  transaction: Queryable,
  { teamId, price }: { teamId: string; price: number },
): Promise<number> {
  const balance = await lockBalance(store, transaction, teamId)
  if (balance === null) return Number.POSITIVE_INFINITY
  const free = balance - (await sumReservedCredits(transaction, teamId))
  return Math.max(0, Math.floor(free / price))
}

export interface Charge {
  teamId: string
  keyId: string | null
  jobId: string
  kind: string
  credits: number
  now: number
}

/** Charges jobs, each once, however often it ran. */
export async function chargeAll(query: Queryable, charges: Charge[]): Promise<void> {
  const entries = charges
    .filter((charge) => charge.credits > 0)
    .map(({ kind, credits, ...charge }) => ({ ...charge, credits: -credits, reason: kind }))
  if (entries.length > 0) await appendEntries(query, entries)
}

type Refund = Omit<Charge, 'kind'> & { reason: string }

/** Gives credits of a job back, once, however often it is called. Call it inside a transaction. */
export function refund(query: Queryable, { jobId, ...entry }: Refund): Promise<void> {
  // The job's own name stands beside its charge, and no two entries have the same.
  return appendEntries(query, [{ ...entry, jobId: `refund of ${jobId}` }])
}
