import { sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import { hasValues, prepared } from './prepared.ts'
import type { PageRow, Queryable, Store } from './schema.ts'

export type { PageRow } from './schema.ts'

/** Increase it with every change of a key's parts, so that pages under older keys do not fill the cache. */
export const cacheKeyVersion = 1

interface PageQuery {
  teamId: string
  cacheKey: string
  fetchedAfter: number
  fetchedBefore: number
}

export async function findPage(query: Queryable, pageQuery: PageQuery): Promise<PageRow | undefined> {
  return (await newestPage(query, pageQuery)).rows[0]
}

export async function findVersions(query: Queryable, pageQuery: PageQuery): Promise<PageRow[]> {
  return (await allVersions(query, pageQuery)).rows
}

const maxVersions = 5

const prepareVersionQuery = (maxRows: number) =>
  prepared<PageQuery, PageRow>((query, value) =>
    query
      .selectFrom('pages')
      .selectAll()
      .where(hasValues({ team_id: value('teamId'), cache_key: value('cacheKey') }))
      .where('key_version', '=', sql.lit(cacheKeyVersion))
      .where('fetched_at', '>=', value('fetchedAfter'))
      .where('fetched_at', '<=', value('fetchedBefore'))
      .orderBy('fetched_at', 'desc')
      .limit(maxRows),
  )

const newestPage = prepareVersionQuery(1)
const allVersions = prepareVersionQuery(maxVersions)

/** The insert locks the row of the team in `cache_sizes`, so the limit holds across processes. */
export async function storePage(
  store: Store,
  page: Omit<PageRow, 'id' | 'key_version'>,
  { maxTeamBytes }: { maxTeamBytes: number },
): Promise<void> {
  const insert = async (transaction: Queryable) => {
    await transaction
      .insertInto('pages')
      .values({ id: newId(), key_version: cacheKeyVersion, ...page })
      .execute()
    const oldVersions = await transaction
      .selectFrom('pages')
      .select('id')
      .where(hasValues({ team_id: page.team_id, cache_key: page.cache_key }))
      .orderBy('fetched_at', 'desc')
      .limit(100)
      .offset(maxVersions)
      .execute()
    await removeOldest(transaction, page.team_id, { maxTeamBytes, outdated: oldVersions.map(({ id }) => id) })
  }
  await store.transaction(insert, { durable: false })
}

const evictionBatchSize = 100

async function removeOldest(
  query: Queryable,
  teamId: string,
  { maxTeamBytes, outdated }: { maxTeamBytes: number; outdated: string[] },
): Promise<void> {
  const remove = (ids: string[]) => query.deleteFrom('pages').where('id', 'in', ids).execute()
  if (outdated.length > 0) await remove(outdated)
  for (;;) {
    const size = query.selectFrom('cache_sizes').select('bytes').where('team_id', '=', teamId)
    let excess = ((await size.executeTakeFirst())?.bytes ?? 0) - maxTeamBytes
    if (excess <= 0) return
    const oldest = await query
      .selectFrom('pages')
      .select(['id', 'bytes'])
      .where('team_id', '=', teamId)
      .orderBy('fetched_at')
      .orderBy('id')
      .limit(evictionBatchSize)
      .execute()
    const evicted = oldest.filter(({ bytes }) => {
      const isNeeded = excess > 0
      excess -= bytes
      return isNeeded
    })
    if (evicted.length === 0) return
    await remove(evicted.map(({ id }) => id))
  }
}

export async function removePage(query: Queryable, id: string): Promise<void> {
  await query.deleteFrom('pages').where('id', '=', id).execute()
}

export async function removePagesBefore(query: Queryable, moment: number): Promise<number> {
  const pages = query.selectFrom('pages').select('id').limit(500)
  // An older process must not remove the pages of a newer one.
  const underOldKeys = pages.where('key_version', '<', cacheKeyVersion)
  for (const expired of [underOldKeys, pages.where('fetched_at', '<', moment)]) {
    const { numDeletedRows } = await query.deleteFrom('pages').where('id', 'in', expired).executeTakeFirst()
    if (numDeletedRows > 0) return Number(numDeletedRows)
  }
  return 0
}
