import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Team } from '../accounts/team.ts'
import { dayMs } from '../accounts/team-models.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { balanceOf, chargesByDay, grantsOf } from '../store/credits.ts'
import { lastSuccess, listActivity } from '../store/jobs/activity.ts'
import { callsOfDay, chargesOfDay, modelUsageSince } from '../store/jobs/daily-usage.ts'
import { readError } from '../store/jobs/job-errors.ts'
import { countQueued, type JobState } from '../store/jobs/jobs.ts'
import { countRunning } from '../store/jobs/slots.ts'
import { findKey } from '../store/keys.ts'
import type { Store } from '../store/schema.ts'
import { findUnindexedTeams } from '../store/teams.ts'
import type { Deps } from './needs.ts'

export type UsageDeps = Pick<Deps, 'store' | 'clock'>

/** What clients that know only numbers are shown for "no limit". */
const noLimit = 999_999_999

export async function creditUsage({ store, clock }: UsageDeps, team: Team) {
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
  { store, clock }: UsageDeps,
  team: Team,
  options: { range: TimeRange; byApiKey: boolean },
) {
  const now = new Date(clock.now())
  const days = await chargesByDay(store.query, team.id, monthStart(now, -11).getTime())
  const sums = new Map<string, { start: Date; key: string | null; credits: number }>()
  for (const { day, key, credits } of days) {
    const start = periodStart(new Date(Number(day) * dayMs), options.range)
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
export async function modelTokens({ store, clock }: UsageDeps, team: Team, tokensPerDay: number) {
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
export async function modelTokenHistory({ store, clock }: UsageDeps, team: Team, range: TimeRange) {
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

export async function queueStatus({ store, clock }: UsageDeps, team: Team) {
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
  return new Date(day.getTime() - back * dayMs)
}

function periodEnd(start: Date, range: TimeRange): Date {
  if (range === 'month') return monthStart(start, 1)
  return new Date(start.getTime() + (range === 'week' ? 7 : 1) * dayMs)
}

/** States as callers know them: a job that waits for anything is queued. */
const statesIn = {
  queued: ['held', 'queued'],
  running: ['running'],
  completed: ['completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
} as const satisfies Record<string, readonly JobState[]>

export type StateResponse = keyof typeof statesIn

export const toStateResponses = Object.keys(statesIn) as [StateResponse, ...StateResponse[]]

/** The team's calls of the last day, newest first, by cursor. */
export async function listTeamActivity(
  deps: { store: Store; clock: Clock },
  team: Team,
  page: {
    endpoint?: string | undefined
    state?: StateResponse | undefined
    limit: number
    cursor?: string | undefined
  },
) {
  const rows = await listActivity(deps.store.query, {
    teamId: team.id,
    kind: page.endpoint,
    states: page.state && statesIn[page.state],
    since: deps.clock.now() - dayMs,
    before: page.cursor === undefined ? undefined : readCursor(page.cursor),
    limit: page.limit + 1,
  })
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1)
  const hasMore = rows.length > page.limit
  return {
    data: shown.map((row) => {
      const code = readError(row.error)?.code
      return {
        id: row.id,
        endpoint: row.kind,
        api_version: 'v2',
        created_at: new Date(row.created_at).toISOString(),
        target: row.target,
        state: row.state === 'held' ? ('queued' as const) : row.state,
        ...(code === undefined ? {} : { code }),
      }
    }),
    cursor: hasMore && last ? Buffer.from(`${last.created_at} ${last.id}`).toString('base64url') : null,
    has_more: hasMore,
  }
}

function readCursor(cursor: string): { createdAt: number; id: string } {
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (/^\d{1,15}$/.test(createdAt) && isUuid(id)) return { createdAt: Number(createdAt), id }
  const message = 'The cursor is not valid. Start again without it.'
  throw new AppError('BAD_REQUEST', {}, { message })
}

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

/** The team and the key of a call. */
export async function getCurrentTeam({ store }: { store: Store }, team: Team) {
  const key = team.keyId === null ? undefined : await findKey(store.query, team.keyId)
  const unindexed = await findUnindexedTeams(store.query, [team.id])
  return {
    team: {
      id: team.id,
      name: team.name,
      concurrency: team.concurrency,
      zeroDataRetention: team.zeroRetention,
      searchIndex: !unindexed.has(team.id),
    },
    keyHint: key?.hint ?? null,
    isOperator: team.isOperator,
  }
}
