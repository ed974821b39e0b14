import type { Team } from '../../accounts/team.ts'
import { agentAsExtract, listAgents, readAgent, startAgent } from '../../features/agent/agent.ts'
import type { AgentRequest } from '../../features/agent/schema.ts'
import { readThread } from '../../features/agent/threads.ts'
import { readSnapshot, readTrace } from '../../features/agent/trace.ts'
import { type BatchScrapeRequest, startBatchScrape } from '../../features/batch-scrape.ts'
import { activeCrawls, type CrawlDeps, crawlStatus, startCrawl } from '../../features/crawl/crawl.ts'
import { crawlErrors, crawlRetryRules } from '../../features/crawl/crawl-summary.ts'
import { type CrawlOptions, resolveOptions } from '../../features/crawl/options.ts'
import { type Preview, previewCrawl, seenPaths } from '../../features/crawl/preview.ts'
import type { CrawlRequest } from '../../features/crawl/schema.ts'
import { checkPatterns } from '../../features/discover/patterns.ts'
import { type DownloadFormat, download } from '../../features/download/download.ts'
import { readExtract, startExtract } from '../../features/extract/extract.ts'
import type { ExtractRequest } from '../../features/extract/schema.ts'
import { pageRequest } from '../../features/multi-page/page-jobs.ts'
import {
  assertParentOptions,
  listPageErrors,
  type PageOfDocuments,
  parentStatus,
} from '../../features/parent-status.ts'
import { type RetryResult, retryFailed } from '../../features/retry.ts'
import { maxPrice, throwIfImpossible } from '../../features/scrape/plan.ts'
import type { ScrapeRequest } from '../../features/scrape/schema.ts'
import { createJobWatch, type ParentEvent } from '../../features/watch/watch.ts'
import { checkReceiver } from '../../features/webhooks/outbox.ts'
import type { Queue } from '../../jobs/queue.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import type { UseCaseDeps } from './needs.ts'

export type ParentKind = 'crawl' | 'batch_scrape'

export function parentUseCases(useCaseDeps: UseCaseDeps) {
  const { queue } = useCaseDeps
  const crawl = crawlDeps(useCaseDeps)
  const watchers = createJobWatch(useCaseDeps)
  const statusOf = (row: JobRow, page: PageOfDocuments) =>
    row.kind === 'crawl' ? crawlStatus(crawl, row, page) : parentStatus(useCaseDeps, row, page)
  return {
    async parentStatus(team: Team, job: { id: string; kind: ParentKind }, page: PageOfDocuments) {
      return statusOf(await queue.findOwn(team, job.id, job.kind), page)
    },
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
    async retryParent(
      team: Team,
      job: { id: string; kind: ParentKind },
      idempotencyKey: string | undefined,
    ): Promise<RetryResult> {
      const parent = await queue.findOwn(team, job.id, job.kind)
      const priceOf = (request: ScrapeRequest) => maxPrice(request, useCaseDeps.hasEnhancedProxy)
      const rulesOf = (row: JobRow) => crawlRetryRules(useCaseDeps.store, row)
      const deps = { ...useCaseDeps, scrape: useCaseDeps.kinds.scrape, priceOf, rulesOf }
      return retryFailed(deps, team, { parent, idempotencyKey })
    },
    async downloadParent(
      team: Team,
      job: { id: string; kind: ParentKind },
      downloadOptions: { format: DownloadFormat; signal: AbortSignal },
    ) {
      const parent = await queue.findOwn(team, job.id, job.kind)
      return { id: parent.id, chunks: await download(useCaseDeps, parent, downloadOptions) }
    },
    async cancelParent(team: Team, job: { id: string; kind: ParentKind }) {
      await queue.cancel(await queue.findOwn(team, job.id, job.kind))
    },
  }
}

export function batchScrapeUseCases(useCaseDeps: UseCaseDeps) {
  const batch = { ...useCaseDeps, scrape: useCaseDeps.kinds.scrape }
  return {
    async startBatchScrape(team: Team, request: BatchScrapeRequest, idempotencyKey: string | undefined) {
      throwIfImpossible(request)
      assertParentOptions(request, request)
      await checkReceiver(useCaseDeps.guard, request.webhook)
      const price = maxPrice(request, useCaseDeps.hasEnhancedProxy)
      return startBatchScrape(batch, team, { request, idempotencyKey, price })
    },
    async batchScrapeErrors(team: Team, id: string) {
      return listPageErrors(useCaseDeps, await useCaseDeps.queue.find(team, id, 'batch_scrape'))
    },
  }
}

export function crawlUseCases(useCaseDeps: UseCaseDeps) {
  const crawl = crawlDeps(useCaseDeps)
  const preview = createPreview(useCaseDeps)
  return {
    async startCrawl(
      team: Team,
      request: CrawlRequest,
      callOptions: { idempotencyKey: string | undefined; signal: AbortSignal },
    ): Promise<{ id: string; promptPreview: Preview | undefined; options: CrawlOptions }> {
      throwIfImpossible(request.scrapeOptions)
      assertParentOptions(request, request.scrapeOptions)
      await checkPatterns(request)
      await checkReceiver(useCaseDeps.guard, request.webhook)
      const { prompt, url } = request
      const promptPreview =
        prompt === undefined ? undefined : await preview(team, { url, prompt }, callOptions.signal)
      const options = resolveOptions(request, promptPreview?.options ?? {})
      const price = maxPrice(
        { ...options.scrapeOptions, zeroDataRetention: false },
        useCaseDeps.hasEnhancedProxy,
      )
      const { idempotencyKey } = callOptions
      const id = await startCrawl(crawl, team, { request, options, price, idempotencyKey })
      return { id, promptPreview, options }
    },
    async crawlErrors(team: Team, id: string) {
      return crawlErrors(crawl, await useCaseDeps.queue.find(team, id, 'crawl'))
    },
    activeCrawls: (team: Team) => activeCrawls(crawl, team),
    previewCrawl: preview,
  }
}

export function crawlDeps(useCaseDeps: UseCaseDeps): CrawlDeps {
  return { ...useCaseDeps, startKind: useCaseDeps.kinds.crawlStart }
}

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

export function extractUseCases(useCaseDeps: UseCaseDeps) {
  return {
    async startExtract(team: Team, request: ExtractRequest, idempotencyKey: string | undefined) {
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      throwIfImpossible(page)
      assertParentOptions({ zeroDataRetention: false }, page)
      await checkReceiver(useCaseDeps.guard, request.webhook)
      const price = maxPrice(page, useCaseDeps.hasEnhancedProxy)
      const deps = {
        ...useCaseDeps,
        find: useCaseDeps.kinds.extractFind,
        hasModel: useCaseDeps.models(team.id) !== undefined,
      }
      return startExtract(deps, team, { request, price, idempotencyKey })
    },
    async extractStatus(team: Team, id: string) {
      const row = await findExtractOrAgent(useCaseDeps.queue, team, id)
      return row.kind === 'agent' ? agentAsExtract(useCaseDeps, row) : readExtract(useCaseDeps, row)
    },
    async cancelExtract(team: Team, id: string) {
      await useCaseDeps.queue.cancel(await useCaseDeps.queue.findOwn(team, id, 'extract'))
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

export function agentUseCases(useCaseDeps: UseCaseDeps) {
  const find = (team: Team, id: string) => useCaseDeps.queue.findOwn(team, id, 'agent')
  return {
    async start(team: Team, request: AgentRequest, idempotencyKey: string | undefined) {
      await checkReceiver(useCaseDeps.guard, request.webhook)
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      const price = maxPrice(page, useCaseDeps.hasEnhancedProxy)
      const deps = {
        ...useCaseDeps,
        step: useCaseDeps.kinds.agentStep,
        hasModel: useCaseDeps.models(team.id) !== undefined,
      }
      return startAgent(deps, team, { request, price, idempotencyKey })
    },
    status: async (team: Team, id: string) => readAgent(useCaseDeps, await find(team, id)),
    async cancel(team: Team, id: string) {
      await useCaseDeps.queue.cancel(await find(team, id))
    },
    list: (team: Team, before: number | undefined) => listAgents(useCaseDeps, team, before),
    trace: async (team: Team, id: string) => readTrace(useCaseDeps, await find(team, id)),
    snapshot: async (team: Team, id: string, snapshotId: string) =>
      readSnapshot(useCaseDeps, await find(team, id), snapshotId),
    thread: (team: Team, threadQuery: { id: string; includeData: boolean }) =>
      readThread(useCaseDeps, team, threadQuery),
  }
}
