import { newId } from '../base/ids.ts'
import { prepared } from './prepared.ts'
import type { PageRow, Queryable, Store } from './schema.ts'

export type { PageRow } from './schema.ts'

interface WantedPage {
  teamId: string
  cacheKey: string
  fetchedAfter: number
  fetchedBefore: number
}

/** The newest kept version of a page that is old and young enough. */
export async function findPage(query: Queryable, wanted: WantedPage): Promise<PageRow | undefined> {
  return (await newestPage(query, wanted)).rows[0]
}

/** All of them, newest first. */
export async function findVersions(query: Queryable, wanted: WantedPage): Promise<PageRow[]> {
  return (await allVersions(query, wanted)).rows
}

/** Versions of one page that are kept; the oldest makes room. */
const mostVersions = 5

const versions = (most: number) =>
  prepared<WantedPage, PageRow>((query, value) =>
    query
      .selectFrom('pages')
      .selectAll()
      .where('team_id', '=', value('teamId'))
      .where('cache_key', '=', value('cacheKey'))
      .where('fetched_at', '>=', value('fetchedAfter'))
      .where('fetched_at', '<=', value('fetchedBefore'))
      .orderBy('fetched_at', 'desc')
      .limit(most),
  )

const newestPage = versions(1)
const allVersions = versions(mostVersions)

/** Keeps a version of a page; answers the blobs of versions that made room. */
export async function keepPage(store: Store, page: Omit<PageRow, 'id'>): Promise<string[]> {
  const insert = async (transaction: Queryable) => {
    await transaction
      .insertInto('pages')
      .values({ id: newId(), ...page })
      .execute()
    const old = await transaction
      .selectFrom('pages')
      .select(['id', 'blob'])
      .where('team_id', '=', page.team_id)
      .where('cache_key', '=', page.cache_key)
      .orderBy('fetched_at', 'desc')
      .limit(100)
      .offset(mostVersions)
      .execute()
    if (old.length === 0) return []
    const ids = old.map((row) => row.id)
    await transaction.deleteFrom('pages').where('id', 'in', ids).execute()
    return old.flatMap((row) => row.blob ?? [])
  }
  return store.transaction(insert, { durable: false })
}

/** Removes pages fetched before a moment, some at a time; answers their blobs. */
export async function removePagesBefore(query: Queryable, moment: number): Promise<(string | null)[]> {
  const old = query.selectFrom('pages').select('id').where('fetched_at', '<', moment).limit(500)
  const rows = await query.deleteFrom('pages').where('id', 'in', old).returning('blob').execute()
  return rows.map((row) => row.blob)
}
