import { z } from 'zod'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import {
  type CrawlRow,
  changeCrawl,
  countSkipped,
  countWaiting,
  findCrawl,
  listSkipped,
} from '../../store/frontier.ts'
import { listHelperJobs } from '../../store/jobs/child-jobs.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { countChildren, countFailedWith } from '../../store/jobs/parents.ts'
import type { Store } from '../../store/schema.ts'
import { storedJson } from '../../store/stored-json.ts'
import type { Scope, SkipReason } from '../discover/scope.ts'
import { cleanUrl } from '../discover/url-key.ts'
import { listPageErrors } from '../parent-status.ts'
import { crawlStartKind } from './job-inputs.ts'
import { type CrawlOptions, storedOptions, toPublicOptions } from './options.ts'

export async function summarizeCrawl(store: Store, crawl: CrawlRow, { hasEnded }: { hasEnded: boolean }) {
  const { query } = store
  const { completed, failed, cancelled, queued, running } = await countChildren(query, crawl.job_id)
  const codes = skipReasonByErrorCode(storedOptions.read(crawl.options))
  const skippedByCode =
    failed === 0 ? new Map() : await countFailedWith(query, crawl.job_id, [...codes.keys()])
  const skipped = { ...(await readSkippedCounts(store, crawl, hasEnded)) }
  for (const [code, reason] of codes) {
    const count = skippedByCode.get(code) ?? 0
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count
  }
  const skippedCount = [...skippedByCode.values()].reduce((sum, count) => sum + count, 0)
  const living = queued + running
  const waiting = crawl.rest_reason === null ? await countWaiting(query, crawl.job_id, crawl.known) : 0
  return { completed, failed: failed - skippedCount, cancelled, living, waiting, skipped }
}

const storedCounts = storedJson({ table: 'crawls', column: 'skipped' }, z.record(z.string(), z.number()))

/** The counts do not change after the end of the crawl, so they are stored then. */
async function readSkippedCounts(store: Store, crawl: CrawlRow, hasEnded: boolean) {
  if (crawl.skipped !== null) return storedCounts.read(crawl.skipped)
  const counts = await countSkipped(store.query, crawl)
  if (hasEnded) await changeCrawl(store.query, crawl.job_id, { skipped: storedCounts.write(counts) })
  return counts
}

/** Jobs of pages that are rejected after their start end with an error. The response lists them as skipped. */
export function skipReasonByErrorCode({
  startLeftOut = 'include paths',
}: CrawlOptions): Map<ErrorCode, SkipReason> {
  return new Map<ErrorCode, SkipReason>([
    ['CRAWL_DENIAL', 'robots.txt'],
    ['SCRAPE_RACED_REDIRECT_ERROR', 'duplicate'],
    ['CRAWL_START_LEFT_OUT', startLeftOut],
  ])
}

export function startSkipReason(scope: Scope, { url }: Pick<CrawlOptions, 'url'>): SkipReason | undefined {
  const decision = scope(cleanUrl(new URL(url)))
  if (decision.belongs) return undefined
  const { reason } = decision
  return reason === 'include paths' || reason === 'exclude paths' ? reason : undefined
}

export const storedWarnings = storedJson({ table: 'crawls', column: 'notes' }, z.array(z.string()))

const maxWarnings = 50

export function addWarnings(text: string, newWarnings: string[]): string {
  if (newWarnings.length === 0) return text
  const warnings = new Set([...storedWarnings.read(text), ...newWarnings])
  return storedWarnings.write([...warnings].slice(0, maxWarnings))
}

export async function crawlFacts(store: Store, row: JobRow) {
  const crawl = row.kind === 'crawl' ? await findCrawl(store.query, row.id) : undefined
  if (!crawl) return undefined
  const { failed, skipped } = await summarizeCrawl(store, crawl, { hasEnded: row.finished_at !== null })
  const helpers = await listHelperJobs(store.query, row.id)
  const starts = helpers.filter(({ kind }) => kind === crawlStartKind).flatMap(({ trace }) => trace ?? [])
  return { failed, skipped, notes: storedWarnings.read(crawl.notes), starts }
}

export async function crawlRequestOf(store: Store, id: string): Promise<Record<string, unknown> | undefined> {
  const crawl = await findCrawl(store.query, id)
  return crawl && toPublicOptions(storedOptions.read(crawl.options))
}

const maxListed = 10_000
const maxSkipped = 1000

export async function crawlErrors(deps: { store: Store }, row: JobRow) {
  const { query } = deps.store
  const crawl = await findCrawl(query, row.id)
  if (!crawl) throw new AppError('JOB_NOT_FOUND')
  const codes: Map<string, SkipReason> = skipReasonByErrorCode(storedOptions.read(crawl.options))
  const failed = await listPageErrors(deps, row)
  const skippedAfterScrape = failed.flatMap(({ url, code }) => {
    const reason = codes.get(code)
    return reason === undefined ? [] : [{ url, reason }]
  })
  const listByReason = (reasons: string[], limit = maxListed) => listSkipped(query, { crawl, reasons, limit })
  const homePages = await listByReason(['home page of another site'])
  const external = { code: 'EXTERNAL_LINK', error: 'Home pages of other sites are not scraped.' }
  const blockedInFrontier = await listByReason(['robots.txt'])
  const blockedAfterScrape = skippedAfterScrape.filter(({ reason }) => reason === 'robots.txt')
  const skipped = (await listByReason([], maxSkipped)).map(({ url, reason }) => ({ url, reason }))
  return {
    errors: [
      ...failed.filter(({ code }) => !codes.has(code)),
      ...homePages.map(({ id, url }) => ({ id, url, ...external })),
    ],
    robotsBlocked: [...blockedInFrontier, ...blockedAfterScrape].map(({ url }) => url),
    skipped: [...skippedAfterScrape, ...skipped].slice(0, maxSkipped),
    summary: await summarizeCrawl(deps.store, crawl, { hasEnded: row.finished_at !== null }),
  }
}

export async function crawlRetryRules(store: Store, parent: JobRow) {
  const crawl = parent.kind === 'crawl' ? await findCrawl(store.query, parent.id) : undefined
  if (!crawl) return undefined
  const options = storedOptions.read(crawl.options)
  // Codes that are not failures, or that would occur again because of the rules of the crawl.
  const notFailed: ErrorCode[] = [...skipReasonByErrorCode(options).keys(), 'CRAWL_OUT_OF_SCOPE']
  const warnings = [
    'Links of these pages are not followed.',
    ...(crawl.delay > 0 ? ['The delay of the crawl does not apply; one page is scraped at a time.'] : []),
    ...(options.removeRepeatedContent ? ['removeRepeatedContent does not apply to a batch.'] : []),
  ]
  return { notFailed, maxActive: crawl.most_living, warnings }
}
