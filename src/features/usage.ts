import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Team } from '../accounts/team.ts'
import { dayMs } from '../accounts/team-models.ts'
import { AppError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { getBalance, sumChargesByDay, sumGrants } from '../store/credits.ts'
import { findLastSuccess, listActivity } from '../store/jobs/activity.ts'
import { countCallsOfDay, listModelUsageSince, sumChargesOfDay } from '../store/jobs/daily-usage.ts'
import { readError } from '../store/jobs/job-errors.ts'
import { countQueued, type JobState } from '../store/jobs/jobs.ts'
import { countRunning } from '../store/jobs/slots.ts'
import { findKey } from '../store/keys.ts'
import type { Store } from '../store/schema.ts'
import { findUnindexedTeams } from '../store/teams.ts'
import type { Deps } from './needs.ts'
import { isoOrNull } from './present.ts'

type UsageDeps = Pick<Deps, 'store' | 'clock'>

/** Clients expect a number, even for a team without a limit. */
const noLimitPlaceholder = 999_999_999

export async function creditUsage({ store, clock }: UsageDeps, team: Team) {
  const balance = await getBalance(store.query, team.id)
  const now = new Date(clock.now())
  return {
    remainingCredits: balance ?? noLimitPlaceholder,
    planCredits: balance === null ? noLimitPlaceholder : await sumGrants(store.query, team.id),
    unlimited: balance === null,
    billingPeriodStart: monthStart(now, 0).toISOString(),
    billingPeriodEnd: monthStart(now, 1).toISOString(),
  }
}

export type TimeRange = 'day' | 'week' | 'month'

export async function creditHistory(
  { store, clock }: UsageDeps,
  team: Team,
  options: { range: TimeRange; byApiKey: boolean },
) {
  const now = new Date(clock.now())
  const days = await sumChargesByDay(store.query, team.id, monthStart(now, -11).getTime())
  const sums = new Map<string, { start: Date; key: string | null; credits: number }>()
  for (const { day, key, credits } of days) {
    const start = periodStart(new Date(day * dayMs), options.range)
    const groupKey = options.byApiKey ? `${start.getTime()} ${key}` : String(start.getTime())
    const sum = sums.get(groupKey) ?? { start, key, credits: 0 }
    sums.set(groupKey, { ...sum, credits: sum.credits + credits })
  }
  return [...sums.values()].map(({ start, key, credits }) => ({
    ...toPeriod(start, options.range),
    ...(options.byApiKey ? { apiKey: key ?? 'none' } : {}),
    credits,
  }))
}

export async function modelTokens({ store, clock }: UsageDeps, team: Team, tokensPerDay: number) {
  const now = new Date(clock.now())
  const firstDay = toDayNumber(monthStart(now, 0))
  const days = await listModelUsageSince(store.query, { teamId: team.id, day: firstDay })
  const today = days.filter(({ day }) => day === toDayNumber(now))
  return {
    today: sumTokens(today),
    todayLimit: tokensPerDay === 0 ? null : tokensPerDay,
    inputTokens: days.reduce((sum, row) => sum + row.input_tokens, 0),
    outputTokens: days.reduce((sum, row) => sum + row.output_tokens, 0),
    calls: days.reduce((sum, row) => sum + row.calls, 0),
  }
}

export async function modelTokenHistory({ store, clock }: UsageDeps, team: Team, range: TimeRange) {
  const since = toDayNumber(monthStart(new Date(clock.now()), -11))
  const days = await listModelUsageSince(store.query, { teamId: team.id, day: since })
  const periods = Map.groupBy(days, ({ day }) => periodStart(new Date(day * dayMs), range).getTime())
  return [...periods].map(([start, rows]) => ({
    ...toPeriod(new Date(start), range),
    tokens: sumTokens(rows),
  }))
}

const toDayNumber = (moment: Date) => Math.floor(moment.getTime() / dayMs)

const sumTokens = (rows: { input_tokens: number; output_tokens: number }[]) =>
  rows.reduce((sum, row) => sum + row.input_tokens + row.output_tokens, 0)

export async function queueStatus({ store, clock }: UsageDeps, team: Team) {
  const active = await countRunning(store.query, team.id, clock.now())
  const waiting = await countQueued(store.query, team.id)
  const success = await findLastSuccess(store.query, team.id)
  return {
    jobsInQueue: active + waiting,
    activeJobsInQueue: active,
    waitingJobsInQueue: waiting,
    maxConcurrency: team.concurrency,
    mostRecentSuccess: isoOrNull(success),
  }
}

const monthStart = (moment: Date, months: number) =>
  new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() + months))

function periodStart(day: Date, range: TimeRange): Date {
  if (range === 'month') return monthStart(day, 0)
  // Weeks start on Monday.
  const daysBack = range === 'week' ? (day.getUTCDay() + 6) % 7 : 0
  return new Date(day.getTime() - daysBack * dayMs)
}

function toPeriod(start: Date, range: TimeRange) {
  const nextDay = new Date(start.getTime() + (range === 'week' ? 7 : 1) * dayMs)
  const end = range === 'month' ? monthStart(start, 1) : nextDay
  return { startDate: start.toISOString(), endDate: end.toISOString() }
}

export const publicJobStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export async function listTeamActivity(
  deps: UsageDeps,
  team: Team,
  page: {
    endpoint?: string | undefined
    state?: (typeof publicJobStates)[number] | undefined
    limit: number
    cursor?: string | undefined
  },
) {
  const states: JobState[] | undefined =
    page.state === 'queued' ? ['held', 'queued'] : page.state && [page.state]
  const rows = await listActivity(deps.store.query, {
    teamId: team.id,
    kind: page.endpoint,
    states,
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

function readCursor(cursor: string): { created_at: number; id: string } {
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (/^\d{1,15}$/.test(createdAt) && isUuid(id)) return { created_at: Number(createdAt), id }
  const message = 'The cursor is not valid. Start again without it.'
  throw new AppError('BAD_REQUEST', {}, { message })
}

/** One query per day, then a yield: summing up a busy month would block an embedded store for all calls. */
export async function dailyUsage({ store, clock }: UsageDeps, team: Team, days: number) {
  const today = Math.floor(clock.now() / dayMs)
  const rows: Awaited<ReturnType<typeof readDayUsage>>[] = []
  for (let day = today - days + 1; day <= today; day += 1) {
    rows.push(await readDayUsage(store, { teamId: team.id, day }))
    await nextTurn()
  }
  return rows
}

async function readDayUsage({ query }: Store, filter: { teamId: string; day: number }) {
  const charges = await sumChargesOfDay(query, filter)
  const calls = await countCallsOfDay(query, filter)
  const creditsByKind = sumByName(charges.map(({ kind, credits }) => [kind, credits]))
  const callsByState = sumByName(calls.map(({ state, calls: count }) => [state, count]))
  return {
    date: new Date(filter.day * dayMs).toISOString().slice(0, 10),
    ...{ credits: getTotal(creditsByKind), creditsByKind, calls: getTotal(callsByState), callsByState },
  }
}

function sumByName(entries: [string, number][]): Record<string, number> {
  const totals: Record<string, number> = {}
  for (const [name, count] of entries) totals[name] = (totals[name] ?? 0) + count
  return totals
}

const getTotal = (counts: Record<string, number>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

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
