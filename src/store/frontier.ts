import { sql } from 'kysely'
import { newId } from '../base/ids.ts'
import type { CrawlRow, FrontierRow, FrontierState, JobState, Queryable } from './schema.ts'

export type { CrawlRow, FrontierRow } from './schema.ts'

export async function insertCrawl(query: Queryable, crawl: CrawlRow): Promise<void> {
  await query.insertInto('crawls').values(crawl).execute()
}

export function findCrawl(query: Queryable, id: string): Promise<CrawlRow | undefined> {
  return query.selectFrom('crawls').selectAll().where('job_id', '=', id).executeTakeFirst()
}

export async function changeCrawl(
  query: Queryable,
  id: string,
  change: Partial<Omit<CrawlRow, 'job_id'>>,
): Promise<void> {
  await query.updateTable('crawls').set(change).where('job_id', '=', id).execute()
}

export interface FoundRow {
  urlKey: string
  url: string
  depth: number
  isExternal: boolean
  /** Undefined: it is to be scraped. */
  skipReason: string | undefined
}

/** Adds addresses that the crawl has not met before; answers how many those were. */
export async function addToFrontier(query: Queryable, crawlId: string, found: FoundRow[]): Promise<number> {
  let added = 0
  // SQLite takes at most 32,766 parameters in one statement.
  for (let start = 0; start < found.length; start += 1000) {
    const rows = found.slice(start, start + 1000).map((row) => rowOf(crawlId, row))
    const result = await query
      .insertInto('frontier')
      .values(rows)
      .onConflict((conflict) => conflict.columns(['crawl_id', 'url_key']).doNothing())
      .executeTakeFirst()
    added += Number(result.numInsertedOrUpdatedRows ?? 0n)
  }
  return added
}

function rowOf(crawlId: string, found: FoundRow): FrontierRow {
  return {
    crawl_id: crawlId,
    url_key: found.urlKey,
    id: newId(),
    url: found.url,
    depth: found.depth,
    external: found.isExternal ? 1 : 0,
    state: found.skipReason === undefined ? 'waiting' : 'skipped',
    reason: found.skipReason ?? null,
    job_id: null,
  }
}

/** The next addresses in turn: the nearest to the start first, and of those the ones that were found first. */
export function nextInFrontier(query: Queryable, crawlId: string, most: number): Promise<FrontierRow[]> {
  return query
    .selectFrom('frontier')
    .selectAll()
    .where('crawl_id', '=', crawlId)
    .where('state', '=', 'waiting')
    .orderBy('depth')
    .orderBy('id')
    .limit(most)
    .execute()
}

export async function markTaken(
  query: Queryable,
  crawlId: string,
  taken: { urlKey: string; jobId: string },
): Promise<void> {
  await query
    .updateTable('frontier')
    .set({ state: 'taken', job_id: taken.jobId })
    .where('crawl_id', '=', crawlId)
    .where('url_key', '=', taken.urlKey)
    .execute()
}

/**
 * Says that a page is also known by this key, as after a redirect. False: another page of the crawl has it already. One
 * that waits under the key is not scraped any more, since it would be this page again.
 */
export async function claimAlias(
  query: Queryable,
  crawlId: string,
  alias: { urlKey: string; url: string; jobId: string },
): Promise<boolean> {
  const row: FrontierRow = {
    ...rowOf(crawlId, { ...alias, depth: 0, isExternal: false, skipReason: undefined }),
    state: 'alias',
    job_id: alias.jobId,
  }
  const { job_id } = await query
    .insertInto('frontier')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['crawl_id', 'url_key']).doUpdateSet({
        state: sql<FrontierState>`case when frontier.state = 'waiting' then 'skipped' else frontier.state end`,
        reason: sql<string>`case when frontier.state = 'waiting' then 'duplicate' else frontier.reason end`,
        job_id: sql<string>`coalesce(frontier.job_id, excluded.job_id)`,
      }),
    )
    .returning('job_id')
    .executeTakeFirstOrThrow()
  return job_id === alias.jobId
}

/** Whatever still waits will not be scraped, for this reason. */
export async function skipWaiting(query: Queryable, crawlId: string, reason: string): Promise<void> {
  await query
    .updateTable('frontier')
    .set({ state: 'skipped', reason })
    .where('crawl_id', '=', crawlId)
    .where('state', '=', 'waiting')
    .execute()
}

export async function countWaiting(query: Queryable, crawlId: string): Promise<number> {
  const row = await query
    .selectFrom('frontier')
    .select(sql<number>`count(*)`.as('count'))
    .where('crawl_id', '=', crawlId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** How many addresses were skipped, by reason. */
export async function countSkipped(query: Queryable, crawlId: string): Promise<Record<string, number>> {
  const rows = await query
    .selectFrom('frontier')
    .select(['reason', sql<number>`count(*)`.as('count')])
    .where('crawl_id', '=', crawlId)
    .where('state', '=', 'skipped')
    .groupBy('reason')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.reason ?? '', Number(row.count)]))
}

export function listSkipped(
  query: Queryable,
  which: { crawlId: string; reasons: string[]; limit: number },
): Promise<FrontierRow[]> {
  let select = query
    .selectFrom('frontier')
    .selectAll()
    .where('crawl_id', '=', which.crawlId)
    .where('state', '=', 'skipped')
    .orderBy('depth')
    .orderBy('id')
    .limit(which.limit)
  if (which.reasons.length > 0) select = select.where('reason', 'in', which.reasons)
  return select.execute()
}

/** Parents of a kind that a team has under way, newest first. */
export function findRunningOfTeam(query: Queryable, teamId: string, kind: string) {
  return query
    .selectFrom('jobs')
    .innerJoin('crawls', 'crawls.job_id', 'jobs.id')
    .select(['jobs.id', 'jobs.team_id', 'jobs.target', 'jobs.created_at', 'crawls.options'])
    .where('jobs.team_id', '=', teamId)
    .where('jobs.state', '=', 'running' satisfies JobState)
    .where('jobs.takes_slot', '=', 0)
    .where('jobs.kind', '=', kind)
    .orderBy('jobs.id', 'desc')
    .limit(1000)
    .execute()
}

/** Removes what belongs to crawls whose job has gone, some at a time; answers how many crawls those were. */
export async function removeCrawlsWithoutJob(query: Queryable): Promise<number> {
  const gone = await query
    .selectFrom('crawls')
    .leftJoin('jobs', 'jobs.id', 'crawls.job_id')
    .select('crawls.job_id')
    .where('jobs.id', 'is', null)
    .limit(50)
    .execute()
  for (const { job_id } of gone) {
    await query.deleteFrom('frontier').where('crawl_id', '=', job_id).execute()
    await query.deleteFrom('crawls').where('job_id', '=', job_id).execute()
  }
  return gone.length
}
