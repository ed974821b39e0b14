import { AppError } from '../base/errors.ts'
import { appendEntries } from '../store/credits.ts'
import { countQueued } from '../store/jobs.ts'
import { countRunning } from '../store/leases.ts'
import type { Queryable } from '../store/schema.ts'
import { leastPrice } from './prices.ts'
import type { Team } from './team.ts'

/**
 * Can the team pay for these jobs on top of those it has under way? Call it in the transaction that inserts the
 * jobs and holds the lock on the team, so that two calls never spend the same credit.
 */
export async function afford(
  query: Queryable,
  team: Team,
  order: { balance: number | null; jobs: number; now: number },
): Promise<void> {
  if (order.balance === null) return
  const underWay = (await countRunning(query, team.id, order.now)) + (await countQueued(query, team.id))
  const needed = (order.jobs + underWay) * leastPrice
  if (order.balance >= needed) return
  throw new AppError('CREDITS_EXHAUSTED', {
    remainingCredits: Math.max(0, order.balance - underWay * leastPrice),
  })
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
