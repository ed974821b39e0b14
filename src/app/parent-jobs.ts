import type { Team } from '../accounts/team.ts'
import { crawlStatus } from '../features/crawl/crawl.ts'
import { crawlRetryRules } from '../features/crawl/retry-rules.ts'
import { type DownloadFormat, download } from '../features/download/download.ts'
import { type PageOfDocuments, parentStatus } from '../features/parent-job.ts'
import { type Retried, retryFailed } from '../features/retry.ts'
import { mostPrice } from '../features/scrape/price.ts'
import type { ScrapeRequest } from '../features/scrape/schema.ts'
import { jobWatch, type ParentEvent } from '../features/watch/watch.ts'
import type { JobRow } from '../store/jobs.ts'
import { type CrawlBound, crawlNeeds } from './crawl.ts'

export type ParentKind = 'crawl' | 'batch_scrape'

/** The use cases that crawls and batches have in common. */
export function parentUseCases(bound: CrawlBound) {
  const { queue } = bound
  const crawl = crawlNeeds(bound)
  const watchers = jobWatch(bound)
  const statusOf = (row: JobRow, page: PageOfDocuments) =>
    row.kind === 'crawl' ? crawlStatus(crawl, row, page) : parentStatus(bound, row, page)
  return {
    /** Progress and documents of a crawl or a batch. */
    async parentStatus(team: Team, job: { id: string; kind: ParentKind }, page: PageOfDocuments) {
      return statusOf(await queue.findOwn(team, job.id, job.kind), page)
    },
    /** The messages for a watcher of a crawl or a batch, until it ends. */
    async watchParent(
      team: Team,
      job: { id: string; kind: ParentKind },
      signal: AbortSignal,
    ): Promise<AsyncGenerator<ParentEvent>> {
      const { id } = await queue.find(team, job.id, job.kind)
      const status = async (limit: number) =>
        statusOf(await queue.find(team, id, job.kind), { skip: 0, limit })
      return watchers.watch({ id, status }, signal)
    },
    watchReads: watchers.reads,
    watchedJobs: watchers.watchedJobs,
    /** Scrapes the pages of a crawl or a batch again that failed. */
    async retryParent(
      team: Team,
      job: { id: string; kind: ParentKind },
      idempotencyKey: string | undefined,
    ): Promise<Retried> {
      const parent = await queue.findOwn(team, job.id, job.kind)
      const priceOf = (request: ScrapeRequest) => mostPrice(request, bound.hasEnhancedProxy)
      const rulesOf = (row: JobRow) => crawlRetryRules(bound.store, row)
      return retryFailed({ ...bound, scrape: bound.kinds.scrape, priceOf, rulesOf }, team, {
        parent,
        idempotencyKey,
      })
    },
    /** The documents of a crawl or a batch as one file. */
    async downloadParent(
      team: Team,
      job: { id: string; kind: ParentKind },
      how: { format: DownloadFormat; signal: AbortSignal },
    ) {
      const parent = await queue.findOwn(team, job.id, job.kind)
      return { id: parent.id, chunks: await download(bound, parent, how) }
    },
    async cancelParent(team: Team, job: { id: string; kind: ParentKind }) {
      await queue.cancel(await queue.findOwn(team, job.id, job.kind))
    },
  }
}
