import type { Queryable } from '../schema.ts'
import type { JobState } from './jobs.ts'

export interface ActivityPage {
  teamId: string
  kind: string | undefined
  states: readonly JobState[] | undefined
  since: number
  before: { createdAt: number; id: string } | undefined
  limit: number
}

/** Returns calls of a team, newest first. Children of other jobs are not calls. */
export function listActivity(query: Queryable, page: ActivityPage) {
  let select = query
    .selectFrom('jobs')
    .select(['id', 'kind', 'state', 'created_at', 'target', 'error'])
    .where('team_id', '=', page.teamId)
    .where('parent_id', 'is', null)
    .where('created_at', '>=', page.since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.kind !== undefined) select = select.where('kind', '=', page.kind)
  if (page.states !== undefined) select = select.where('state', 'in', page.states)
  const { before } = page
  if (before) {
    select = select.where((where) =>
      where.or([
        where('created_at', '<', before.createdAt),
        where.and([where('created_at', '=', before.createdAt), where('id', '<', before.id)]),
      ]),
    )
  }
  return select.execute()
}

/** Returns the newest calls of a team with their states. */
export function recentJobs(query: Queryable, options: { teamId: string; since: number; limit: number }) {
  return query
    .selectFrom('jobs')
    .select(['id', 'kind', 'state', 'target', 'created_at'])
    .where('team_id', '=', options.teamId)
    .where('parent_id', 'is', null)
    .where('created_at', '>=', options.since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(options.limit)
    .execute()
}

export async function findLastSuccess(query: Queryable, teamId: string): Promise<number | null> {
  const row = await query
    .selectFrom('jobs')
    .select('finished_at')
    .where('team_id', '=', teamId)
    .where('state', '=', 'completed')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.finished_at ?? null
}
