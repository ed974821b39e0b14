import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import { createChunkedInsert } from './prepared.ts'
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

export interface DiscoveredUrl {
  urlKey: string
  url: string
  depth: number
  isExternal: boolean
  /** When the page was changed, as a sitemap says. */
  modifiedAt?: number | undefined
  /** Undefined: it is to be scraped. */
  skipReason: string | undefined
}

/** Adds addresses that the crawl has not met before; answers how many those were. */
export function addToFrontier(query: Queryable, crawlId: string, found: DiscoveredUrl[]): Promise<number> {
  return insertRows(
    query,
    found.map((row) => rowOf(crawlId, row)),
  )
}

const columns = [
  ...(['crawl_id', 'url_key', 'id', 'url', 'depth'] as const),
  ...(['external', 'state', 'reason', 'job_id', 'modified_at'] as const),
]

const insertRows = createChunkedInsert<FrontierRow>(columns, (query, rows) =>
  query
    .insertInto('frontier')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['crawl_id', 'url_key']).doNothing()),
)

function rowOf(crawlId: string, found: DiscoveredUrl): FrontierRow {
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
    modified_at: found.modifiedAt ?? null,
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

/** How many wait, counted up to a number: a site without end has far more than anybody needs to know. */
export async function countWaiting(query: Queryable, crawlId: string, most: number): Promise<number> {
  const some = query
    .selectFrom('frontier')
    .select('id')
    .where('crawl_id', '=', crawlId)
    .where('state', '=', 'waiting')
    .limit(most)
  const row = await query
    .selectFrom(some.as('some'))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** How many addresses were skipped, by reason. Read in parts: there may be hundreds of thousands. */
export async function countSkipped(
  query: Queryable,
  crawl: Pick<CrawlRow, 'job_id' | 'rest_reason'>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const state of ['skipped', 'waiting'] as const) {
    if (state === 'waiting' && crawl.rest_reason === null) break
    let last: { depth: number; id: string } | undefined
    do {
      const rows = await listFrontier(query, { crawlId: crawl.job_id, state, after: last, limit: 2000 })
      for (const { reason } of rows) {
        const name = (state === 'waiting' ? crawl.rest_reason : reason) ?? ''
        counts[name] = (counts[name] ?? 0) + 1
      }
      last = rows.at(-1)
      await nextTurn()
    } while (last)
  }
  return counts
}

function listFrontier(
  query: Queryable,
  which: {
    crawlId: string
    state: FrontierState
    after: { depth: number; id: string } | undefined
    limit: number
  },
) {
  const { after } = which
  let select = query
    .selectFrom('frontier')
    .select(['depth', 'id', 'reason'])
    .where('crawl_id', '=', which.crawlId)
    .where('state', '=', which.state)
    .orderBy('depth')
    .orderBy('id')
    .limit(which.limit)
  if (after) select = select.where(sql<boolean>`(depth, id) > (${after.depth}, ${after.id})`)
  return select.execute()
}

/** Addresses that were skipped: for a reason of their own first, then those that a crawl which has ended left waiting. */
export async function listSkipped(
  query: Queryable,
  which: { crawl: Pick<CrawlRow, 'job_id' | 'rest_reason'>; reasons: string[]; limit: number },
): Promise<{ id: string; url: string; reason: string }[]> {
  const { crawl, reasons, limit } = which
  const rows = query
    .selectFrom('frontier')
    .select(['id', 'url', 'reason'])
    .where('crawl_id', '=', crawl.job_id)
    .orderBy('depth')
    .orderBy('id')
    .limit(limit)
  const skipped = rows.where('state', '=', 'skipped')
  const own = await (reasons.length > 0 ? skipped.where('reason', 'in', reasons) : skipped).execute()
  const rest = crawl.rest_reason
  const isRestWanted = rest !== null && (reasons.length === 0 || reasons.includes(rest))
  const left = isRestWanted && own.length < limit ? await rows.where('state', '=', 'waiting').execute() : []
  return [
    ...own.map((row) => ({ ...row, reason: row.reason ?? '' })),
    ...left.slice(0, limit - own.length).map((row) => ({ ...row, reason: rest ?? '' })),
  ]
}

/** Forgets addresses that were skipped for one of these reasons; answers how many those were. */
export async function dropSkipped(query: Queryable, crawlId: string, reasons: string[]): Promise<number> {
  const { numDeletedRows } = await query
    .deleteFrom('frontier')
    .where('crawl_id', '=', crawlId)
    .where('state', '=', 'skipped')
    .where('reason', 'in', reasons)
    .executeTakeFirst()
  return Number(numDeletedRows)
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
    while ((await removeSome(query, job_id)) > 0) await nextTurn()
    await query.deleteFrom('crawls').where('job_id', '=', job_id).execute()
  }
  return gone.length
}

/** Some at a time: one statement for a site without end would hold up everything else. */
async function removeSome(query: Queryable, crawlId: string): Promise<number> {
  const some = query.selectFrom('frontier').select('url_key').where('crawl_id', '=', crawlId).limit(500)
  const { numDeletedRows } = await query
    .deleteFrom('frontier')
    .where('crawl_id', '=', crawlId)
    .where('url_key', 'in', some)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
