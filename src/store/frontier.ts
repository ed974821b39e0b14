import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import { createChunkedInsert, hasValues } from './prepared.ts'
import { readInSteps, rowsPerStep } from './read-in-steps.ts'
import type { CrawlRow, FrontierRow, FrontierState, JobState, Queryable } from './schema.ts'

export type { CrawlRow, FrontierRow } from './schema.ts'

export async function insertCrawl(query: Queryable, crawl: CrawlRow): Promise<void> {
  await query.insertInto('crawls').values(crawl).execute()
}

export function findCrawl(query: Queryable, id: string): Promise<CrawlRow | undefined> {
  return query.selectFrom('crawls').selectAll().where('job_id', '=', id).executeTakeFirst()
}

export async function changeCrawl(query: Queryable, id: string, change: Partial<Omit<CrawlRow, 'job_id'>>) {
  await query.updateTable('crawls').set(change).where('job_id', '=', id).execute()
}

export interface DiscoveredUrl {
  urlKey: string
  url: string
  depth: number
  isExternal: boolean
  modifiedAt?: number | undefined
  /** Undefined: the URL will be scraped. */
  skipReason: string | undefined
}

export function addToFrontier(query: Queryable, crawlId: string, discovered: DiscoveredUrl[]) {
  const rows = discovered.map((row) => toRow(crawlId, row))
  return insertRows(query, rows)
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

function toRow(crawlId: string, discovered: DiscoveredUrl): FrontierRow {
  return {
    crawl_id: crawlId,
    url_key: discovered.urlKey,
    id: newId(),
    url: discovered.url,
    depth: discovered.depth,
    external: discovered.isExternal ? 1 : 0,
    state: discovered.skipReason === undefined ? 'waiting' : 'skipped',
    reason: discovered.skipReason ?? null,
    job_id: null,
    modified_at: discovered.modifiedAt ?? null,
  }
}

export function listNextInFrontier(query: Queryable, crawlId: string, limit: number): Promise<FrontierRow[]> {
  return query
    .selectFrom('frontier')
    .selectAll()
    .where(hasValues({ crawl_id: crawlId, state: 'waiting' }))
    .orderBy('depth')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function markTaken(query: Queryable, crawlId: string, taken: { urlKey: string; jobId: string }) {
  await query
    .updateTable('frontier')
    .set({ state: 'taken', job_id: taken.jobId })
    .where(hasValues({ crawl_id: crawlId, url_key: taken.urlKey }))
    .execute()
}

/** Returns false if another page has the key. A URL that waits under it is skipped, because it is the same page. */
export async function claimAlias(
  query: Queryable,
  crawlId: string,
  alias: { urlKey: string; url: string; jobId: string },
): Promise<boolean> {
  const row: FrontierRow = {
    ...toRow(crawlId, { ...alias, depth: 0, isExternal: false, skipReason: undefined }),
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

/** Counts waiting URLs up to a maximum, because an endless site has more than any caller needs. */
export async function countWaiting(query: Queryable, crawlId: string, limit: number): Promise<number> {
  const limited = query
    .selectFrom('frontier')
    .select('id')
    .where(hasValues({ crawl_id: crawlId, state: 'waiting' }))
    .limit(limit)
  const row = await query
    .selectFrom(limited.as('some'))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Counts skipped URLs by reason. Reads in batches, because there may be hundreds of thousands. */
export async function countSkipped(query: Queryable, crawl: Pick<CrawlRow, 'job_id' | 'rest_reason'>) {
  const counts: Record<string, number> = {}
  for (const state of ['skipped', 'waiting'] as const) {
    if (state === 'waiting' && crawl.rest_reason === null) break
    const urls = query
      .selectFrom('frontier')
      .select(['depth', 'id', 'reason'])
      .where(hasValues({ crawl_id: crawl.job_id, state }))
      .orderBy('depth')
      .orderBy('id')
      .limit(2000)
    let last: { depth: number; id: string } | undefined
    do {
      const next = last ? urls.where(sql<boolean>`(depth, id) > (${last.depth}, ${last.id})`) : urls
      const rows = await next.execute()
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

/** Returns skipped URLs: first URLs with an individual reason, then URLs that still waited when the crawl ended. */
export async function listSkipped(
  query: Queryable,
  options: { crawl: Pick<CrawlRow, 'job_id' | 'rest_reason'>; reasons: string[]; limit: number },
): Promise<{ id: string; url: string; reason: string }[]> {
  const { crawl, reasons, limit } = options
  const skippedRows = await listInState(query, { crawlId: crawl.job_id, state: 'skipped', reasons, limit })
  const restReason = crawl.rest_reason
  const includesRest = restReason !== null && (reasons.length === 0 || reasons.includes(restReason))
  const rest = { crawlId: crawl.job_id, state: 'waiting' as const, reasons: [] }
  const waitingRows = includesRest
    ? await listInState(query, { ...rest, limit: limit - skippedRows.length })
    : []
  return [
    ...skippedRows.map((row) => ({ ...row, reason: row.reason ?? '' })),
    ...waitingRows.map((row) => ({ ...row, reason: restReason ?? '' })),
  ]
}

type FrontierPosition = Pick<FrontierRow, 'depth' | 'id'>

function listInState(
  query: Queryable,
  options: { crawlId: string; state: FrontierState; reasons: string[]; limit: number },
): Promise<{ id: string; url: string; reason: string | null }[]> {
  const { crawlId, state, reasons, limit } = options
  const rowsAfter = (after: FrontierPosition | undefined) => {
    const rows = query
      .selectFrom('frontier')
      .where(hasValues({ crawl_id: crawlId, state }))
      .orderBy('depth')
      .orderBy('id')
    return after ? rows.where(sql<boolean>`(depth, id) > (${after.depth}, ${after.id})`) : rows
  }
  return readInSteps<FrontierPosition, { id: string; url: string; reason: string | null }>(
    { after: undefined, limit },
    (after) =>
      rowsAfter(after)
        .select(['depth', 'id'])
        .offset(rowsPerStep - 1)
        .limit(1)
        .executeTakeFirst(),
    ({ after, to }, count) => {
      let rows = rowsAfter(after).select(['id', 'url', 'reason']).limit(count)
      if (to) rows = rows.where(sql<boolean>`(depth, id) <= (${to.depth}, ${to.id})`)
      return (reasons.length > 0 ? rows.where('reason', 'in', reasons) : rows).execute()
    },
  )
}

export async function dropSkipped(query: Queryable, crawlId: string, reasons: string[]): Promise<number> {
  const { numDeletedRows } = await query
    .deleteFrom('frontier')
    .where(hasValues({ crawl_id: crawlId, state: 'skipped' }))
    .where('reason', 'in', reasons)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export function findRunningOfTeam(query: Queryable, teamId: string, kind: string) {
  return (
    query
      .selectFrom('jobs')
      .innerJoin('crawls', 'crawls.job_id', 'jobs.id')
      .select(['jobs.id', 'jobs.team_id', 'jobs.target', 'jobs.created_at', 'crawls.options'])
      .where('jobs.team_id', '=', teamId)
      // Literals, because only then can the index of running jobs be used.
      .where('jobs.state', '=', sql.lit('running' satisfies JobState))
      .where('jobs.takes_slot', '=', sql.lit(0))
      .where('jobs.kind', '=', kind)
      .orderBy('jobs.id', 'desc')
      .limit(1000)
      .execute()
  )
}

export async function removeCrawlsWithoutJob(query: Queryable): Promise<number> {
  const orphaned = await query
    .selectFrom('crawls')
    .leftJoin('jobs', 'jobs.id', 'crawls.job_id')
    .select('crawls.job_id')
    .where('jobs.id', 'is', null)
    .limit(50)
    .execute()
  for (const { job_id } of orphaned) {
    while ((await deleteBatch(query, job_id)) > 0) await nextTurn()
    await query.deleteFrom('crawls').where('job_id', '=', job_id).execute()
  }
  return orphaned.length
}

/** Deletes one batch, because a single statement for an endless site would block other work. */
async function deleteBatch(query: Queryable, crawlId: string): Promise<number> {
  const batch = query.selectFrom('frontier').select('url_key').where('crawl_id', '=', crawlId).limit(500)
  const { numDeletedRows } = await query
    .deleteFrom('frontier')
    .where('crawl_id', '=', crawlId)
    .where('url_key', 'in', batch)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
