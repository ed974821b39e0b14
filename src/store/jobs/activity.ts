import { hasValues } from '../prepared.ts'
import type { Queryable } from '../schema.ts'
import type { JobState } from './jobs.ts'

/** Returns calls of a team, newest first. Children of other jobs are not calls. */
export function listActivity(
  query: Queryable,
  page: {
    teamId: string
    kind?: string | undefined
    states?: readonly JobState[] | undefined
    since: number
    before?: { createdAt: number; id: string } | undefined
    limit: number
  },
) {
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

export async function findLastSuccess(query: Queryable, teamId: string): Promise<number | null> {
  const row = await query
    .selectFrom('jobs')
    .select('finished_at')
    .where(hasValues({ team_id: teamId, state: 'completed' }))
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.finished_at ?? null
}
