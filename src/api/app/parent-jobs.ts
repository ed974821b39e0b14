import type { Team } from '../../accounts/team.ts'
import { agentAsExtract, listAgents, readAgent, startAgent } from '../../features/agent/agent.ts'
import type { AgentRequest } from '../../features/agent/schema.ts'
import { readThread } from '../../features/agent/threads.ts'
import { readSnapshot, readTrace } from '../../features/agent/trace.ts'
import { type BatchScrapeRequest, startBatchScrape } from '../../features/batch-scrape.ts'
import { activeCrawls, type CrawlDeps, crawlStatus, startCrawl } from '../../features/crawl/crawl.ts'
import { crawlErrors, crawlRetryRules } from '../../features/crawl/crawl-summary.ts'
import { type CrawlOptions, decideOptions } from '../../features/crawl/options.ts'
import { type Preview, previewCrawl, seenPaths } from '../../features/crawl/preview.ts'
import type { CrawlRequest } from '../../features/crawl/schema.ts'
import { checkPatterns } from '../../features/discover/patterns.ts'
import { type DownloadFormat, download } from '../../features/download/download.ts'
import { readExtract, startExtract } from '../../features/extract/extract.ts'
import type { ExtractRequest } from '../../features/extract/schema.ts'
import { pageRequest } from '../../features/multi-page/page-jobs.ts'
import {
  listPageErrors,
  type PageOfDocuments,
  parentStatus,
  throwChildErrors,
} from '../../features/parent-status.ts'
import { type RetryResult, retryFailed } from '../../features/retry.ts'
import { maxPrice, rejectImpossible } from '../../features/scrape/plan.ts'
import type { ScrapeRequest } from '../../features/scrape/schema.ts'
import { createJobWatch, type ParentEvent } from '../../features/watch/watch.ts'
import { checkReceiver } from '../../features/webhooks/outbox.ts'
import type { Queue } from '../../jobs/queue.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import type { UseCaseDeps } from './needs.ts'

export type ParentKind = 'crawl' | 'batch_scrape'

/** Use cases that crawls and batches share. */
export function parentUseCases(bound: UseCaseDeps) {
  const { queue } = bound
  const crawl = crawlDeps(bound)
  const watchers = createJobWatch(bound)
  const statusOf = (row: JobRow, page: PageOfDocuments) =>
    row.kind === 'crawl' ? crawlStatus(crawl, row, page) : parentStatus(bound, row, page)
  return {
    /** Returns the progress and the documents of a crawl or a batch. */
    async parentStatus(team: Team, job: { id: string; kind: ParentKind }, page: PageOfDocuments) {
      return statusOf(await queue.findOwn(team, job.id, job.kind), page)
    },
    /** Returns the events of a crawl or a batch until it ends. */
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
    /** Scrapes the failed pages of a crawl or a batch again. */
    async retryParent(
      team: Team,
      job: { id: string; kind: ParentKind },
      idempotencyKey: string | undefined,
    ): Promise<RetryResult> {
      const parent = await queue.findOwn(team, job.id, job.kind)
      const priceOf = (request: ScrapeRequest) => maxPrice(request, bound.hasEnhancedProxy)
      const rulesOf = (row: JobRow) => crawlRetryRules(bound.store, row)
      const deps = { ...bound, scrape: bound.kinds.scrape, priceOf, rulesOf }
      return retryFailed(deps, team, { parent, idempotencyKey })
    },
    /** Returns the documents of a crawl or a batch as one file. */
    async downloadParent(
      team: Team,
      job: { id: string; kind: ParentKind },
      downloadOptions: { format: DownloadFormat; signal: AbortSignal },
    ) {
      const parent = await queue.findOwn(team, job.id, job.kind)
      return { id: parent.id, chunks: await download(bound, parent, downloadOptions) }
    },
    async cancelParent(team: Team, job: { id: string; kind: ParentKind }) {
      await queue.cancel(await queue.findOwn(team, job.id, job.kind))
    },
  }
}

export function batchScrapeUseCases(bound: UseCaseDeps) {
  const batch = { ...bound, scrape: bound.kinds.scrape }
  return {
    async startBatchScrape(team: Team, request: BatchScrapeRequest, idempotencyKey: string | undefined) {
      rejectImpossible(request)
      throwChildErrors(request, request)
      await checkReceiver(bound.guard, request.webhook)
      const price = maxPrice(request, bound.hasEnhancedProxy)
      return startBatchScrape(batch, team, { request, idempotencyKey, price })
    },
    async batchScrapeErrors(team: Team, id: string) {
      return listPageErrors(bound, await bound.queue.find(team, id, 'batch_scrape'))
    },
  }
}

export function crawlUseCases(bound: UseCaseDeps) {
  const crawl = crawlDeps(bound)
  const preview = createPreview(bound)
  return {
    async startCrawl(
      team: Team,
      request: CrawlRequest,
      callOptions: { idempotencyKey: string | undefined; signal: AbortSignal },
    ): Promise<{ id: string; prompted: Preview | undefined; options: CrawlOptions }> {
      rejectImpossible(request.scrapeOptions)
      throwChildErrors(request, request.scrapeOptions)
      await checkPatterns(request)
      await checkReceiver(bound.guard, request.webhook)
      const { prompt, url } = request
      const prompted =
        prompt === undefined ? undefined : await preview(team, { url, prompt }, callOptions.signal)
      const options = decideOptions(request, prompted?.options ?? {})
      const price = maxPrice({ ...options.scrapeOptions, zeroDataRetention: false }, bound.hasEnhancedProxy)
      const { idempotencyKey } = callOptions
      const id = await startCrawl(crawl, team, { request, options, price, idempotencyKey })
      return { id, prompted, options }
    },
    async crawlErrors(team: Team, id: string) {
      return crawlErrors(crawl, await bound.queue.find(team, id, 'crawl'))
    },
    activeCrawls: (team: Team) => activeCrawls(crawl, team),
    previewCrawl: preview,
  }
}

export function crawlDeps(bound: UseCaseDeps): CrawlDeps {
  return { ...bound, startKind: bound.kinds.crawlStart }
}

/** Creates a function that converts a prompt to crawl options, after a short exploration of the site on behalf of the team. */
function createPreview({ kinds, reader }: UseCaseDeps) {
  return (team: Team, request: { url: string; prompt: string }, signal: AbortSignal) => {
    const discoverDeps = () => kinds.discovering(team.id, { headers: {}, location: undefined })
    return previewCrawl(
      {
        seenPaths: (start) => seenPaths(discoverDeps(), { teamId: team.id, start }, signal),
        readPrompt: (prompt, paths) => reader.prompt(prompt, paths, { who: { team: team.id }, signal }),
      },
      request,
    )
  }
}

export function extractUseCases(bound: UseCaseDeps) {
  return {
    async startExtract(team: Team, request: ExtractRequest, idempotencyKey: string | undefined) {
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      rejectImpossible(page)
      throwChildErrors({ zeroDataRetention: false }, page)
      await checkReceiver(bound.guard, request.webhook)
      const price = maxPrice(page, bound.hasEnhancedProxy)
      const deps = { ...bound, find: bound.kinds.extractFind, hasModel: bound.models(team.id) !== undefined }
      return startExtract(deps, team, { request, price, idempotencyKey })
    },
    async extractStatus(team: Team, id: string) {
      const row = await findExtractOrAgent(bound.queue, team, id)
      return row.kind === 'agent' ? agentAsExtract(bound, row) : readExtract(bound, row)
    },
    async cancelExtract(team: Team, id: string) {
      await bound.queue.cancel(await bound.queue.findOwn(team, id, 'extract'))
    },
  }
}

/** Finds an extract, or else an agent: the activity list links agents to the extract endpoint as well. */
function findExtractOrAgent(queue: Queue, team: Team, id: string): Promise<JobRow> {
  return queue.findOwn(team, id, 'extract').catch((thrown) => {
    if (thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND') return queue.findOwn(team, id, 'agent')
    throw thrown
  })
}

export function agentUseCases(bound: UseCaseDeps) {
  const find = (team: Team, id: string) => bound.queue.findOwn(team, id, 'agent')
  return {
    async start(team: Team, request: AgentRequest, idempotencyKey: string | undefined) {
      await checkReceiver(bound.guard, request.webhook)
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      const price = maxPrice(page, bound.hasEnhancedProxy)
      const deps = { ...bound, step: bound.kinds.agentStep, hasModel: bound.models(team.id) !== undefined }
      return startAgent(deps, team, { request, price, idempotencyKey })
    },
    status: async (team: Team, id: string) => readAgent(bound, await find(team, id)),
    async cancel(team: Team, id: string) {
      await bound.queue.cancel(await find(team, id))
    },
    list: (team: Team, before: number | undefined) => listAgents(bound, team, before),
    trace: async (team: Team, id: string) => readTrace(bound, await find(team, id)),
    snapshot: async (team: Team, id: string, snapshotId: string) =>
      readSnapshot(bound, await find(team, id), snapshotId),
    thread: (team: Team, threadQuery: { id: string; includeData: boolean }) =>
      readThread(bound, team, threadQuery),
  }
}
