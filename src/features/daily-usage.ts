import type { Team } from '../accounts/team.ts'
import { dayMs } from '../accounts/token-budget.ts'
import type { Clock } from '../base/clock.ts'
import { callsByState, chargesByKind } from '../store/daily-usage.ts'
import type { Store } from '../store/schema.ts'

export interface UsageDay {
  date: string
  credits: number
  creditsByKind: Record<string, number>
  calls: number
  callsByState: Record<string, number>
}

/** What a team used on each of the last days (UTC), oldest first; days without a call are there and empty. */
export async function dailyUsage(
  { store, clock }: { store: Store; clock: Clock },
  team: Team,
  days: number,
): Promise<UsageDay[]> {
  const firstDay = Math.floor(clock.now() / dayMs) - days + 1
  const since = { teamId: team.id, firstDay }
  const [charges, calls] = await Promise.all([
    chargesByKind(store.query, since),
    callsByState(store.query, since),
  ])
  const rows = Array.from({ length: days }, (_, index) => emptyDay(firstDay + index))
  for (const { day, kind, credits } of charges) {
    const row = rows[Number(day) - firstDay]
    if (!row) continue
    row.credits += Number(credits)
    row.creditsByKind[kind] = Number(credits)
  }
  for (const { day, state, calls: count } of calls) {
    const row = rows[Number(day) - firstDay]
    if (!row) continue
    row.calls += Number(count)
    row.callsByState[state] = (row.callsByState[state] ?? 0) + Number(count)
  }
  return rows
}

function emptyDay(day: number): UsageDay {
  const date = new Date(day * dayMs).toISOString().slice(0, 10)
  return { date, credits: 0, creditsByKind: {}, calls: 0, callsByState: {} }
}
