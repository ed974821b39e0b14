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
import { childErrors } from '../parent-status.ts'
import { crawlStartKind } from './job-inputs.ts'
import { type CrawlOptions, shownOptions, storedOptions } from './options.ts'

/** How every address of a crawl ended, as its status and its errors tell it. */
export interface CrawlSummary {
  completed: number
  failed: number
  cancelled: number
  living: number
  waiting: number
  /** By reason. */
  skipped: Record<string, number>
}

export async function summarizeCrawl(
  { store }: { store: Store },
  crawl: CrawlRow,
  { hasEnded }: { hasEnded: boolean },
): Promise<CrawlSummary> {
  const { query } = store
  const { completed, failed, cancelled, queued, running } = await countChildren(query, crawl.job_id)
  const codes = skipReasonByErrorCode(storedOptions.read(crawl.options))
  const leftOut = failed === 0 ? new Map() : await countFailedWith(query, crawl.job_id, [...codes.keys()])
  const skipped = { ...(await skippedOf(store, crawl, hasEnded)) }
  for (const [code, reason] of codes) {
    const count = leftOut.get(code) ?? 0
    if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count
  }
  return {
    completed,
    failed: failed - [...leftOut.values()].reduce((sum, count) => sum + count, 0),
    cancelled,
    living: queued + running,
    waiting: crawl.rest_reason === null ? await countWaiting(query, crawl.job_id, crawl.known) : 0,
    skipped,
  }
}

/** By reason; as they stand when the crawl has ended. */
const storedCounts = storedJson({ table: 'crawls', column: 'skipped' }, z.record(z.string(), z.number()))

/** What was skipped in the frontier never changes after the end, so it is counted once. */
async function skippedOf(store: Store, crawl: CrawlRow, hasEnded: boolean): Promise<Record<string, number>> {
  if (crawl.skipped !== null) return storedCounts.read(crawl.skipped)
  const counts = await countSkipped(store.query, crawl)
  if (hasEnded) await changeCrawl(store.query, crawl.job_id, { skipped: storedCounts.write(counts) })
  return counts
}

/**
 * Pages that were taken and turned out not to be wanted. Their jobs end with an error, so that nothing is returned or charged; to the
 * caller they are skipped like addresses that were never taken, and no failures.
 */
export function skipReasonByErrorCode({
  startLeftOut = 'include paths',
}: CrawlOptions): Map<ErrorCode, SkipReason> {
  return new Map<ErrorCode, SkipReason>([
    ['CRAWL_DENIAL', 'robots.txt'],
    ['SCRAPE_RACED_REDIRECT_ERROR', 'duplicate'],
    ['CRAWL_START_LEFT_OUT', startLeftOut],
  ])
}

/** Patterns choose among what the start leads to: where they leave it out itself, it is read for its links alone. */
export function startSkipReason(scope: Scope, { url }: Pick<CrawlOptions, 'url'>): SkipReason | undefined {
  const judged = scope(cleanUrl(new URL(url)))
  if (judged.belongs) return undefined
  const { reason } = judged
  return reason === 'include paths' || reason === 'exclude paths' ? reason : undefined
}

/** What the caller of a crawl should know. */
export const storedWarnings = storedJson({ table: 'crawls', column: 'notes' }, z.array(z.string()))

const maxNotes = 50

/** Adds each note once. */
export function addWarnings(text: string, told: string[]): string {
  if (told.length === 0) return text
  const notes = new Set([...storedWarnings.read(text), ...told])
  return storedWarnings.write([...notes].slice(0, maxNotes))
}

/** What the trace of a crawl says beside that of any job; undefined for a job that is none. */
export async function crawlFacts(store: Store, row: JobRow) {
  const crawl = row.kind === 'crawl' ? await findCrawl(store.query, row.id) : undefined
  if (!crawl) return undefined
  const { failed, skipped } = await summarizeCrawl({ store }, crawl, { hasEnded: row.finished_at !== null })
  return { failed, skipped, notes: storedWarnings.read(crawl.notes), starts: await startsOf(store, row.id) }
}

/** The jobs that asked the site for its rules and its sitemaps, as they were traced. */
async function startsOf(store: Store, crawlId: string): Promise<string[]> {
  const helpers = await listHelperJobs(store.query, crawlId)
  return helpers.filter(({ kind }) => kind === crawlStartKind).flatMap(({ trace }) => trace ?? [])
}

/** What a crawl was asked for, without secrets of the caller; undefined for a job that is none. */
export async function crawlRequestOf(store: Store, id: string): Promise<Record<string, unknown> | undefined> {
  const crawl = await findCrawl(store.query, id)
  return crawl && { ...shownOptions(storedOptions.read(crawl.options)) }
}

const maxListed = 10_000
const maxSkipped = 1000

/** What became of the pages of a crawl that are not among its documents. */
export async function crawlErrors(deps: { store: Store }, row: JobRow) {
  const { query } = deps.store
  const crawl = await findCrawl(query, row.id)
  if (!crawl) throw new AppError('JOB_NOT_FOUND')
  const codes = skipReasonByErrorCode(storedOptions.read(crawl.options))
  const ended = (await childErrors(deps, row)).map((error) => ({
    ...error,
    reason: codes.get(error.code as ErrorCode),
  }))
  const leftOut = ended.flatMap(({ url, reason }) => (reason === undefined ? [] : [{ url, reason }]))
  const list = (reasons: string[], limit = maxListed) => listSkipped(query, { crawl, reasons, limit })
  const external = await list(['home page of another site'])
  const blocked = await list(['robots.txt'])
  const skipped = (await list([], maxSkipped)).map(({ url, reason }) => ({ url, reason }))
  return {
    errors: [
      ...ended.flatMap(({ reason, ...error }) => (reason === undefined ? [error] : [])),
      ...external.map((page) => ({
        id: page.id,
        url: page.url,
        code: 'EXTERNAL_LINK',
        error: 'Home pages of other sites are not scraped.',
      })),
    ],
    robotsBlocked: [...blocked, ...leftOut.filter(({ reason }) => reason === 'robots.txt')].map(
      ({ url }) => url,
    ),
    skipped: [...leftOut, ...skipped].slice(0, maxSkipped),
    summary: await summarizeCrawl(deps, crawl, { hasEnded: row.finished_at !== null }),
  }
}

/** What becomes of the rules of a crawl when its failed pages are scraped again; undefined for a job that is none. */
export async function crawlRetryRules(store: Store, parent: JobRow) {
  const crawl = parent.kind === 'crawl' ? await findCrawl(store.query, parent.id) : undefined
  if (!crawl) return undefined
  const options = storedOptions.read(crawl.options)
  const notFailed: ErrorCode[] = [...skipReasonByErrorCode(options).keys(), 'CRAWL_OUT_OF_SCOPE']
  const warnings = [
    'Links of these pages are not followed.',
    ...(crawl.delay > 0 ? ['The delay of the crawl does not apply; one page is scraped at a time.'] : []),
    ...(options.removeRepeatedContent ? ['removeRepeatedContent does not apply to a batch.'] : []),
  ]
  return { notFailed, mostLiving: crawl.most_living, warnings }
}
