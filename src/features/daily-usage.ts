import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Team } from '../accounts/team.ts'
import { dayMs } from '../accounts/token-budget.ts'
import type { Clock } from '../base/clock.ts'
import { callsOfDay, chargesOfDay } from '../store/daily-usage.ts'
import type { Store } from '../store/schema.ts'

export interface UsageDay {
  date: string
  credits: number
  creditsByKind: Record<string, number>
  calls: number
  callsByState: Record<string, number>
}

/**
 * What a team used on each of the last days (UTC), oldest first; days without a call are there and empty. Each day is a query of
 * its own with a turn for everybody else after it: an embedded store would hold up all calls while it adds up a busy month.
 */
export async function dailyUsage(
  { store, clock }: { store: Store; clock: Clock },
  team: Team,
  days: number,
): Promise<UsageDay[]> {
  const today = Math.floor(clock.now() / dayMs)
  const rows: UsageDay[] = []
  for (let day = today - days + 1; day <= today; day += 1) {
    rows.push(await usageOf(store, { teamId: team.id, day }))
    await nextTurn()
  }
  return rows
}

async function usageOf({ query }: Store, of: { teamId: string; day: number }): Promise<UsageDay> {
  const charges = await chargesOfDay(query, of)
  const calls = await callsOfDay(query, of)
  const creditsByKind = sums(charges.map(({ kind, credits }) => [kind, Number(credits)]))
  const callsByState = sums(calls.map(({ state, calls: count }) => [state, Number(count)]))
  return {
    date: new Date(of.day * dayMs).toISOString().slice(0, 10),
    ...{ credits: totalOf(creditsByKind), creditsByKind, calls: totalOf(callsByState), callsByState },
  }
}

function sums(entries: [string, number][]): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [name, count] of entries) found[name] = (found[name] ?? 0) + count
  return found
}

const totalOf = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)
