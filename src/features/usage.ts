import type { Team } from '../accounts/team.ts'
import type { Clock } from '../base/clock.ts'
import { lastSuccess } from '../store/activity.ts'
import { balanceOf, chargesByDay, grantsOf } from '../store/credits.ts'
import { countQueued } from '../store/jobs.ts'
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
