import { sql } from 'kysely'
import { hasValues } from '../prepared.ts'
import type { JobRow, Queryable } from '../schema.ts'
import { readCalls } from './activity.ts'

/** Kind of a child that reads a page. Helper jobs select the pages and merge their contents. */
const pageKind = 'scrape'

export function listHelperJobs(query: Queryable, parentId: string): Promise<JobRow[]> {
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('kind', '!=', pageKind)
    .orderBy('id')
    .execute()
}

export type LeafRow = Pick<JobRow, 'id' | 'state' | 'target' | 'error' | 'credits' | 'finished_at'>

export function listLeaves(query: Queryable, parentId: string): Promise<LeafRow[]> {
  return query
    .selectFrom('jobs')
    .select(['id', 'state', 'target', 'error', 'credits', 'finished_at'])
    .where(hasValues({ parent_id: parentId, kind: pageKind }))
    .orderBy('id')
    .execute()
}

export async function sumCreditsOfChildren(query: Queryable, parentId: string): Promise<number> {
  const row = await query
    .selectFrom('jobs')
    .select(sql<number>`coalesce(sum(credits), 0)`.as('credits'))
    .where('parent_id', '=', parentId)
    .where('state', 'in', ['completed', 'failed', 'cancelled'])
    .executeTakeFirstOrThrow()
  return Number(row.credits)
}

export function listCalls(
  query: Queryable,
  options: { teamId: string; kind: string; before: number | undefined; limit: number; inputHas?: string },
): Promise<JobRow[]> {
  const { teamId, kind, before, limit, inputHas } = options
  const position = before === undefined ? undefined : { created_at: before, id: '' }
  return readCalls(query, { teamId, before: position, limit }, (calls) => {
    const select = calls.selectAll().where('kind', '=', kind)
    return inputHas === undefined ? select : select.where('input', 'like', `%${inputHas}%`)
  })
}
