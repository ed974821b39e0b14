import { sql } from 'kysely'
import type { JobRow, Queryable } from '../schema.ts'

/** A child that reads a page. All others are helper jobs: they decide which pages are read, and join what those say. */
const pageKind = 'scrape'

/** The helper jobs of a parent, in the order in which they were made. */
export function listHelperJobs(query: Queryable, parentId: string): Promise<JobRow[]> {
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('kind', '!=', pageKind)
    .orderBy('id')
    .execute()
}

/** How a page of a job stands, without what it brought. */
export type LeafRow = Pick<JobRow, 'id' | 'state' | 'target' | 'error' | 'credits' | 'finished_at'>

/** Pages of a parent, in the order in which they were made. */
export function listLeaves(query: Queryable, parentId: string): Promise<LeafRow[]> {
  return query
    .selectFrom('jobs')
    .select(['id', 'state', 'target', 'error', 'credits', 'finished_at'])
    .where('parent_id', '=', parentId)
    .where('kind', '=', pageKind)
    .orderBy('id')
    .execute()
}

/** What all children of a parent that have ended cost together. */
export async function creditsOfChildren(query: Queryable, parentId: string): Promise<number> {
  const row = await query
    .selectFrom('jobs')
    .select(sql<number>`coalesce(sum(credits), 0)`.as('credits'))
    .where('parent_id', '=', parentId)
    .where('state', 'in', ['completed', 'failed', 'cancelled'])
    .executeTakeFirstOrThrow()
  return Number(row.credits)
}

/** Jobs of a team and kind that belong to no other, newest first. */
export function listCalls(
  query: Queryable,
  which: { teamId: string; kind: string; before: number | undefined; limit: number; inputHas?: string },
): Promise<JobRow[]> {
  let select = query
    .selectFrom('jobs')
    .selectAll()
    .where('team_id', '=', which.teamId)
    .where('kind', '=', which.kind)
    .where('parent_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(which.limit)
  if (which.before !== undefined) select = select.where('created_at', '<', which.before)
  if (which.inputHas !== undefined) select = select.where('input', 'like', `%${which.inputHas}%`)
  return select.execute()
}
