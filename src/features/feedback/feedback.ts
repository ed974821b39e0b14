import { refund } from '../../accounts/billing.ts'
import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import {
  type FeedbackRow,
  findFeedbackOn,
  insertFeedback,
  listFeedback,
  recordRefund,
  refundedOn,
  takeRefund,
} from '../../store/feedback.ts'
import { findJob, type JobRow } from '../../store/jobs/jobs.ts'
import type { Queryable } from '../../store/schema.ts'
import { storedJson } from '../../store/stored-json.ts'
import type { Deps } from '../needs.ts'
import { pageOf } from '../present.ts'
import { type FeedbackEntry, type FeedbackRequest, type FeedbackResponse, feedbackContent } from './schema.ts'

export interface FeedbackDeps extends Pick<Deps, 'store' | 'clock'> {
  /** How long after its end a job takes feedback. */
  windowMs: number
  /** Credits that a team gets back per day. */
  dailyRefunds: number
}

const day = 24 * 3600_000
/** What feedback on a search gives back, if the search has cost as much. */
const refundOfSearch = 1

const storedContent = storedJson({ table: 'feedback', column: 'content' }, feedbackContent)

/** Keeps what a caller says about a job, once per job; feedback on a search gives a credit back. */
export async function giveFeedback(
  deps: FeedbackDeps,
  team: Team,
  request: FeedbackRequest,
): Promise<FeedbackResponse> {
  const { store, clock } = deps
  const job = await findEnded(deps, team, request)
  const known = await findFeedbackOn(store.query, job.id)
  if (known) return answerOf(deps, known, { isRepeated: true })
  refuseLate(deps, job)
  const row = rowOf(job, request, clock.now())
  const refunded = await store.transaction((transaction) => keep(deps, transaction, { team, job, row }))
  if (refunded !== undefined) return answerOf(deps, { ...row, refunded }, { isRepeated: false })
  const other = await findFeedbackOn(store.query, job.id)
  if (!other) throw new AppError('JOB_NOT_FOUND')
  return answerOf(deps, other, { isRepeated: true })
}

/** A job whose result the caller has seen. The error does not reveal whether another team has such a job. */
async function findEnded(
  { store }: FeedbackDeps,
  team: Team,
  { jobId, endpoint }: FeedbackRequest,
): Promise<JobRow> {
  if (!isUuid(jobId)) throw new AppError('INVALID_JOB_ID')
  const job = await findJob(store.query, jobId.toLowerCase())
  if (!job || job.team_id !== team.id || job.kind !== endpoint || job.finished_at === null)
    throw new AppError('JOB_NOT_FOUND')
  return job
}

function refuseLate({ clock, windowMs }: FeedbackDeps, job: JobRow): void {
  if (job.kind === 'search' && job.state !== 'completed') throw new AppError('FEEDBACK_ON_FAILED_JOB')
  if (clock.now() - (job.finished_at ?? 0) > windowMs) throw new AppError('FEEDBACK_WINDOW_EXPIRED')
}

function rowOf(job: JobRow, request: FeedbackRequest, now: number): FeedbackRow {
  const { rating, endpoint, jobId: _, ...content } = request
  return {
    id: newId(),
    team_id: job.team_id,
    job_id: job.id,
    endpoint,
    rating,
    content: job.retain === 0 ? null : storedContent.write(content),
    refunded: 0,
    created_at: now,
  }
}

/**
 * Feedback, the count of the day and the refund stand or fall together: what was kept was refunded, and once. Answers the
 * refund; undefined where somebody was faster.
 */
async function keep(
  { dailyRefunds }: FeedbackDeps,
  transaction: Queryable,
  { team, job, row }: { team: Team; job: JobRow; row: FeedbackRow },
): Promise<number | undefined> {
  if (!(await insertFeedback(transaction, row))) return undefined
  const credits = job.kind === 'search' ? Math.min(refundOfSearch, job.credits) : 0
  if (credits === 0) return 0
  const { team_id: teamId, created_at: now } = row
  const taken = await takeRefund(transaction, dayOf(teamId, now), { credits, most: dailyRefunds })
  if (!taken) return 0
  await recordRefund(transaction, row.id, credits)
  await refund(transaction, {
    ...{ teamId, keyId: team.keyId, jobId: job.id, credits, now },
    reason: 'feedback on a search',
  })
  return credits
}

function dayOf(teamId: string, now: number) {
  return { teamId, day: Math.floor(now / day) }
}

async function answerOf(
  { store, clock, dailyRefunds }: FeedbackDeps,
  row: FeedbackRow,
  { isRepeated }: { isRepeated: boolean },
): Promise<FeedbackResponse> {
  const creditsRefunded = isRepeated ? 0 : row.refunded
  const repeated = isRepeated ? { alreadySubmitted: true } : {}
  const answer = { feedbackId: row.id, creditsRefunded, ...repeated }
  const warnings = row.content === null && !isRepeated ? [onlyRating] : []
  if (row.endpoint !== 'search') return { ...answer, ...warningOf(warnings) }
  const today = await refundedOn(store.query, dayOf(row.team_id, clock.now()))
  const isReached = today >= dailyRefunds
  if (isReached && !isRepeated && creditsRefunded === 0)
    warnings.push(
      `The team has got all credits back that it gets on one day: TEAM_DAILY_REFUNDS is ${dailyRefunds}.`,
    )
  return {
    ...answer,
    creditsRefundedToday: today,
    dailyRefundCap: dailyRefunds,
    ...(isReached ? { dailyCapReached: true } : {}),
    ...warningOf(warnings),
  }
}

const onlyRating = 'The job was made with zero data retention: only the rating is kept.'

function warningOf(warnings: string[]): { warning?: string } {
  return warnings.length === 0 ? {} : { warning: warnings.join(' ') }
}

export interface FeedbackQuery {
  endpoint: string | undefined
  rating: string | undefined
  jobId: string | undefined
  cursor: string | undefined
  limit: number
}

/** What came in from the team, newest first. */
export async function listTeamFeedback(
  { store }: Pick<FeedbackDeps, 'store'>,
  team: Team,
  page: FeedbackQuery,
) {
  const { cursor: before, ...filter } = page
  const which = { ...filter, teamId: team.id, before, limit: page.limit + 1 }
  const rows = await listFeedback(store.query, which)
  const { shown, cursor } = pageOf(rows, page.limit)
  return { data: shown.map(shownRow), cursor }
}

function shownRow(row: FeedbackRow): FeedbackEntry {
  return {
    feedbackId: row.id,
    jobId: row.job_id,
    endpoint: row.endpoint,
    rating: row.rating,
    creditsRefunded: row.refunded,
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.content === null ? {} : storedContent.read(row.content)),
  }
}
