import { newId } from '../base/ids.ts'
import type { PageRow, Queryable, Store } from './schema.ts'

export type { PageRow } from './schema.ts'

/** The kept page of a team under a cache key, when it is old and young enough. */
export function findPage(
  query: Queryable,
  wanted: { teamId: string; cacheKey: string; fetchedAfter: number; fetchedBefore: number },
): Promise<PageRow | undefined> {
  return query
    .selectFrom('pages')
    .selectAll()
    .where('team_id', '=', wanted.teamId)
    .where('cache_key', '=', wanted.cacheKey)
    .where('fetched_at', '>=', wanted.fetchedAfter)
    .where('fetched_at', '<=', wanted.fetchedBefore)
    .executeTakeFirst()
}

/** Keeps a page in place of an older one; answers the blob of the older one, which nothing points to any more. */
export async function keepPage(store: Store, page: Omit<PageRow, 'id'>): Promise<string | null | undefined> {
  const replace = async (transaction: Queryable) => {
    const kept = transaction
      .selectFrom('pages')
      .select('blob')
      .where('team_id', '=', page.team_id)
      .where('cache_key', '=', page.cache_key)
    // Locked, so that two calls that keep the same page do not both drop the same older one.
    const old = await store.lock(kept).executeTakeFirst()
    const { team_id: _team, cache_key: _key, ...newer } = page
    await transaction
      .insertInto('pages')
      .values({ id: newId(), ...page })
      .onConflict((conflict) => conflict.columns(['team_id', 'cache_key']).doUpdateSet(newer))
      .execute()
    return old?.blob
  }
  return store.transaction(replace, { durable: false })
}

/** Removes pages fetched before a moment, some at a time; answers their blobs. */
export async function removePagesBefore(query: Queryable, moment: number): Promise<(string | null)[]> {
  const old = query.selectFrom('pages').select('id').where('fetched_at', '<', moment).limit(500)
  const rows = await query.deleteFrom('pages').where('id', 'in', old).returning('blob').execute()
  return rows.map((row) => row.blob)
}
