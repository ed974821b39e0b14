import { AppError } from '../platform/errors.ts'
import { appendEntries } from '../store/credits.ts'
import { sumReservedCredits } from '../store/jobs/jobs.ts'
import { lockBalance } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import type { Team } from './team.ts'

/** Call it in the transaction that locks the team and inserts the jobs, so no credit is spent twice. */
export async function afford(
  query: Queryable,
  team: Team,
  cost: { balance: number | null; credits: number },
): Promise<void> {
  if (cost.balance === null) return
  const free = cost.balance - (await sumReservedCredits(query, team.id))
  if (free >= cost.credits) return
  throw new AppError('CREDITS_EXHAUSTED', {
    neededCredits: cost.credits,
    remainingCredits: Math.max(0, free),
  })
}

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

/** Charges each job once, even if it ran several times. */
export async function chargeAll(query: Queryable, charges: Charge[]): Promise<void> {
  const entries = charges
    .filter((charge) => charge.credits > 0)
    .map(({ kind, credits, ...charge }) => ({ ...charge, credits: -credits, reason: kind }))
  if (entries.length > 0) await appendEntries(query, entries)
}

/** Refunds credits of a job once; repeated calls have no effect. Call it inside a transaction. */
export function refund(
  query: Queryable,
  { jobId, ...entry }: Omit<Charge, 'kind'> & { reason: string },
): Promise<void> {
  // The id of the job is already used by its charge, and ids of entries are unique.
  return appendEntries(query, [{ ...entry, jobId: `refund of ${jobId}` }])
}
