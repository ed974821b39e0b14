import { sql } from 'kysely'
import type { TeamDay } from './jobs/daily-usage.ts'
import { hasValues, insertIfNew } from './prepared.ts'
import type { FeedbackRow, Queryable } from './schema.ts'

export type { FeedbackRow } from './schema.ts'

export function insertFeedback(query: Queryable, row: FeedbackRow): Promise<boolean> {
  return insertIfNew(query, 'feedback', row)
}

export function findFeedbackOn(query: Queryable, jobId: string): Promise<FeedbackRow | undefined> {
  return query.selectFrom('feedback').selectAll().where('job_id', '=', jobId).executeTakeFirst()
}

export async function recordRefund(query: Queryable, id: string, credits: number): Promise<void> {
  await query.updateTable('feedback').set({ refunded: credits }).where('id', '=', id).execute()
}

export async function reserveRefund(
  query: Queryable,
  { teamId, day }: TeamDay,
  { credits, max }: { credits: number; max: number },
): Promise<boolean> {
  if (credits > max) return false
  const taken = await query
    .insertInto('refunds')
    .values({ team_id: teamId, day, credits })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'day'])
        .doUpdateSet({ credits: sql`refunds.credits + ${credits}` })
        .where('refunds.credits', '<=', max - credits),
    )
    .returning('credits')
    .execute()
  return taken.length > 0
}

export async function getRefundedCredits(query: Queryable, { teamId, day }: TeamDay): Promise<number> {
  const row = await query
    .selectFrom('refunds')
    .select('credits')
    .where(hasValues({ team_id: teamId, day }))
    .executeTakeFirst()
  return row?.credits ?? 0
}

export function listFeedback(
  query: Queryable,
  filter: {
    teamId: string
    endpoint: string | undefined
    rating: string | undefined
    jobId: string | undefined
    before: string | undefined
    limit: number
  },
): Promise<FeedbackRow[]> {
  let select = query
    .selectFrom('feedback')
    .selectAll()
    .where('team_id', '=', filter.teamId)
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.endpoint !== undefined) select = select.where('endpoint', '=', filter.endpoint)
  if (filter.rating !== undefined) select = select.where('rating', '=', filter.rating)
  if (filter.jobId !== undefined) select = select.where('job_id', '=', filter.jobId)
  if (filter.before !== undefined) select = select.where('id', '<', filter.before)
  return select.execute()
}
