import type { Team } from '../accounts/team.ts'
import { dayMs } from '../accounts/token-budget.ts'
import type { Clock } from '../base/clock.ts'
import { lastSuccess } from '../store/activity.ts'
import { balanceOf, chargesByDay, grantsOf } from '../store/credits.ts'
import { countQueued } from '../store/jobs.ts'
import { modelUsageSince } from '../store/model-usage.ts'
import type { Store } from '../store/schema.ts'
import { countRunning } from '../store/slots.ts'

export interface UsageNeeds {
  store: Store
  clock: Clock
}

/** What clients that know only numbers are shown for "no limit". */
const noLimit = 999_999_999

export async function creditUsage({ store, clock }: UsageNeeds, team: Team) {
  const balance = await balanceOf(store.query, team.id)
  const now = new Date(clock.now())
  return {
    remainingCredits: balance ?? noLimit,
    planCredits: balance === null ? noLimit : await grantsOf(store.query, team.id),
    unlimited: balance === null,
    billingPeriodStart: monthStart(now, 0).toISOString(),
    billingPeriodEnd: monthStart(now, 1).toISOString(),
  }
}

export type TimeRange = 'day' | 'week' | 'month'

/** Charges per period, oldest first; a year of months, or as many days or weeks. */
export async function creditHistory(
  { store, clock }: UsageNeeds,
  team: Team,
  options: { range: TimeRange; byApiKey: boolean },
) {
  const now = new Date(clock.now())
  const days = await chargesByDay(store.query, team.id, monthStart(now, -11).getTime())
  const sums = new Map<string, { start: Date; key: string | null; credits: number }>()
  for (const { day, key, credits } of days) {
    const start = periodStart(new Date(Number(day) * 86_400_000), options.range)
    const name = options.byApiKey ? `${start.getTime()} ${key}` : String(start.getTime())
    const sum = sums.get(name) ?? { start, key, credits: 0 }
    sums.set(name, { ...sum, credits: sum.credits + Number(credits) })
  }
  return [...sums.values()].map(({ start, key, credits }) => ({
    startDate: start.toISOString(),
    endDate: periodEnd(start, options.range).toISOString(),
    ...(options.byApiKey ? { apiKey: key ?? 'none' } : {}),
    credits,
  }))
}

/** Tokens of the language model that the team has used today and in this billing period. */
export async function modelTokens({ store, clock }: UsageNeeds, team: Team, tokensPerDay: number) {
  const now = new Date(clock.now())
  const days = await modelUsageSince(store.query, { teamId: team.id, day: dayOf(monthStart(now, 0)) })
  const today = days.filter(({ day }) => day === dayOf(now))
  return {
    today: sumOf(today),
    todayLimit: tokensPerDay === 0 ? null : tokensPerDay,
    inputTokens: days.reduce((sum, row) => sum + row.input_tokens, 0),
    outputTokens: days.reduce((sum, row) => sum + row.output_tokens, 0),
    calls: days.reduce((sum, row) => sum + row.calls, 0),
  }
}

/** The same per period, oldest first; periods without a call are absent. */
export async function modelTokenHistory({ store, clock }: UsageNeeds, team: Team, range: TimeRange) {
  const since = dayOf(monthStart(new Date(clock.now()), -11))
  const days = await modelUsageSince(store.query, { teamId: team.id, day: since })
  const sums = new Map<number, number>()
  for (const row of days) {
    const start = periodStart(new Date(row.day * dayMs), range).getTime()
    sums.set(start, (sums.get(start) ?? 0) + sumOf([row]))
  }
  return [...sums].map(([start, tokens]) => ({
    startDate: new Date(start).toISOString(),
    endDate: periodEnd(new Date(start), range).toISOString(),
    tokens,
  }))
}

const dayOf = (moment: Date) => Math.floor(moment.getTime() / dayMs)

function sumOf(rows: { input_tokens: number; output_tokens: number }[]): number {
  return rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0)
}

export async function queueStatus({ store, clock }: UsageNeeds, team: Team) {
  const active = await countRunning(store.query, team.id, clock.now())
  const waiting = await countQueued(store.query, team.id)
  const success = await lastSuccess(store.query, team.id)
  return {
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: team.concurrency,
    mostRecentSuccess: success === null ? null : new Date(success).toISOString(),
  }
}

function monthStart(moment: Date, months: number): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months))
}

function periodStart(day: Date, range: TimeRange): Date {
  if (range === 'month') return monthStart(day, 0)
  // Weeks start on Monday.
  const back = range === 'week' ? (day.getUTCDay() + 6) % 7 : 0
  return new Date(day.getTime() - back * 86_400_000)
}

function periodEnd(start: Date, range: TimeRange): Date {
  if (range === 'month') return monthStart(start, 1)
  return new Date(start.getTime() + (range === 'week' ? 7 : 1) * 86_400_000)
}
