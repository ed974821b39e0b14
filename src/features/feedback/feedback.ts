import { refund } from '../../accounts/billing.ts'
import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import { isUuid, newId } from '../../platform/ids.ts'
import {
  type FeedbackRow,
  findFeedbackOn,
  getRefundedCredits,
  insertFeedback,
  listFeedback,
  recordRefund,
  reserveRefund,
} from '../../store/feedback.ts'
import { findJob, type JobRow } from '../../store/jobs/jobs.ts'
import type { Queryable } from '../../store/schema.ts'
import { storedJson } from '../../store/stored-json.ts'
import type { Deps } from '../needs.ts'
import { pageOf } from '../present.ts'
import { type FeedbackEntry, type FeedbackRequest, type FeedbackResponse, feedbackContent } from './schema.ts'

export interface FeedbackDeps extends Pick<Deps, 'store' | 'clock'> {
  /** Time after the end of a job during which it accepts feedback. */
  windowMs: number
  dailyRefunds: number
}

const dayMs = 24 * 3600_000
/** Maximum credits refunded for feedback on a search. The refund never exceeds the price of the search. */
const searchRefund = 1

const storedContent = storedJson({ table: 'feedback', column: 'content' }, feedbackContent)

export async function giveFeedback(
  deps: FeedbackDeps,
  team: Team,
  request: FeedbackRequest,
): Promise<FeedbackResponse> {
  const { store, clock } = deps
  const job = await findEndedJob(deps, team, request)
  const existing = await findFeedbackOn(store.query, job.id)
  if (existing) return toResponse(deps, existing, { isRepeated: true })
  if (job.kind === 'search' && job.state !== 'completed') throw new AppError('FEEDBACK_ON_FAILED_JOB')
  if (clock.now() - (job.finished_at ?? 0) > deps.windowMs) throw new AppError('FEEDBACK_WINDOW_EXPIRED')
  const row = createRow(job, request, clock.now())
  const refunded = await store.transaction((transaction) =>
    storeFeedback(deps, transaction, { team, job, row }),
  )
  if (refunded !== undefined) return toResponse(deps, { ...row, refunded }, { isRepeated: false })
  const concurrent = await findFeedbackOn(store.query, job.id)
  if (!concurrent) throw new AppError('JOB_NOT_FOUND')
  return toResponse(deps, concurrent, { isRepeated: true })
}

/** Returns an ended job of the team. Throws the same error for an unknown job and for a job of another team. */
async function findEndedJob(
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

function createRow(job: JobRow, request: FeedbackRequest, now: number): FeedbackRow {
  const { rating, endpoint, jobId: _, ...content } = request
  return {
    ...{ id: newId(), team_id: job.team_id, job_id: job.id, endpoint, rating },
    content: job.retain === 0 ? null : storedContent.write(content),
    ...{ refunded: 0, created_at: now },
  }
}

/** Uses one transaction, so that stored feedback is refunded exactly once. Returns undefined for repeated feedback. */
async function storeFeedback(
  { dailyRefunds }: FeedbackDeps,
  transaction: Queryable,
  { team, job, row }: { team: Team; job: JobRow; row: FeedbackRow },
): Promise<number | undefined> {
  if (!(await insertFeedback(transaction, row))) return undefined
  const credits = job.kind === 'search' ? Math.min(searchRefund, job.credits) : 0
  if (credits === 0) return 0
  const { team_id: teamId, created_at: now } = row
  const limit = { credits, max: dailyRefunds }
  if (!(await reserveRefund(transaction, getDayKey(teamId, now), limit))) return 0
  await recordRefund(transaction, row.id, credits)
  const reason = 'feedback on a search'
  await refund(transaction, { teamId, keyId: team.keyId, jobId: job.id, credits, now, reason })
  return credits
}

const getDayKey = (teamId: string, now: number) => ({ teamId, day: Math.floor(now / dayMs) })

async function toResponse(
  { store, clock, dailyRefunds }: FeedbackDeps,
  row: FeedbackRow,
  { isRepeated }: { isRepeated: boolean },
): Promise<FeedbackResponse> {
  const creditsRefunded = isRepeated ? 0 : row.refunded
  const response = {
    ...{ feedbackId: row.id, creditsRefunded },
    ...(isRepeated ? { alreadySubmitted: true } : {}),
  }
  const warnings = row.content === null && !isRepeated ? [onlyRatingMessage] : []
  if (row.endpoint !== 'search') return { ...response, ...toWarningField(warnings) }
  const today = await getRefundedCredits(store.query, getDayKey(row.team_id, clock.now()))
  const isCapReached = today >= dailyRefunds
  if (isCapReached && !isRepeated && creditsRefunded === 0)
    warnings.push(
      `The team has got all credits back that it gets on one day: TEAM_DAILY_REFUNDS is ${dailyRefunds}.`,
    )
  return {
    ...{ ...response, creditsRefundedToday: today, dailyRefundCap: dailyRefunds },
    ...(isCapReached ? { dailyCapReached: true } : {}),
    ...toWarningField(warnings),
  }
}

const onlyRatingMessage = 'The job was made with zero data retention: only the rating is kept.'

const toWarningField = (warnings: string[]) => (warnings.length === 0 ? {} : { warning: warnings.join(' ') })

export interface FeedbackQuery
  extends Partial<Record<'endpoint' | 'rating' | 'jobId' | 'cursor', string | undefined>> {
  limit: number
}

export async function listTeamFeedback({ store }: FeedbackDeps, team: Team, page: FeedbackQuery) {
  const { endpoint, rating, jobId, cursor: before, limit } = page
  const query = { endpoint, rating, jobId, teamId: team.id, before, limit: limit + 1 }
  const rows = await listFeedback(store.query, query)
  const { shown, cursor } = pageOf(rows, limit)
  return { data: shown.map(toEntry), cursor }
}

function toEntry(row: FeedbackRow): FeedbackEntry {
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
