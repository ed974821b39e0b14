import type { Team } from '../../accounts/team.ts'
import { agentAsExtract, listAgents, readAgent, startAgent } from '../../features/agent/agent.ts'
import type { AgentRequest } from '../../features/agent/schema.ts'
import { readThread } from '../../features/agent/threads.ts'
import { readSnapshot, readTrace } from '../../features/agent/trace.ts'
import { type BatchScrapeRequest, startBatchScrape } from '../../features/batch-scrape.ts'
import { activeCrawls, crawlStatus, startCrawl } from '../../features/crawl/crawl.ts'
import { crawlErrors, crawlRetryRules } from '../../features/crawl/crawl-summary.ts'
import { resolveOptions } from '../../features/crawl/options.ts'
import { previewCrawl, seenPaths } from '../../features/crawl/preview.ts'
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
import { retryFailed } from '../../features/retry.ts'
import { maxPrice, throwIfImpossible } from '../../features/scrape/plan.ts'
import type { ScrapeRequest } from '../../features/scrape/schema.ts'
import { createJobWatch } from '../../features/watch/watch.ts'
import { checkReceiver } from '../../features/webhooks/outbox.ts'
import { AppError } from '../../platform/errors.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { bindAll, type UseCaseDeps } from './needs.ts'

export type ParentKind = 'crawl' | 'batch_scrape'

interface ParentReference {
  id: string
  kind: ParentKind | 'extract' | 'agent'
}

export function parentUseCases(deps: UseCaseDeps) {
  const { queue, hasEnhancedProxy } = deps
  const watchers = createJobWatch(deps)
  const statusOf = (row: JobRow, page: PageOfDocuments) =>
    row.kind === 'crawl' ? crawlStatus(deps, row, page) : parentStatus(deps, row, page)
  return {
    async parentStatus(team: Team, job: ParentReference, page: PageOfDocuments) {
      return statusOf(await queue.findOwn(team, job.id, job.kind), page)
    },
    async watchParent(team: Team, job: ParentReference, signal: AbortSignal) {
      const { id } = await queue.find(team, job.id, job.kind)
      const status = async (limit: number) =>
        statusOf(await queue.find(team, id, job.kind), { skip: 0, limit })
      return watchers.watch({ id, status }, signal)
    },
    watchReads: watchers.reads,
    watchedJobs: watchers.watchedJobs,
    async retryParent(team: Team, job: ParentReference, idempotencyKey: string | undefined) {
      const parent = await queue.findOwn(team, job.id, job.kind)
      const priceOf = (request: ScrapeRequest) => maxPrice(request, hasEnhancedProxy)
      return retryFailed({ ...deps, priceOf, crawlRetryRules }, team, { parent, idempotencyKey })
    },
    async downloadParent(
      team: Team,
      job: ParentReference,
      downloadOptions: { format: DownloadFormat; signal: AbortSignal },
    ) {
      const parent = await queue.findOwn(team, job.id, job.kind)
      return { id: parent.id, chunks: await download(deps, parent, downloadOptions) }
    },
    async cancelParent(team: Team, job: ParentReference) {
      await queue.cancel(await queue.findOwn(team, job.id, job.kind))
    },
  }
}

export function batchScrapeUseCases(deps: UseCaseDeps) {
  const { queue, guard, hasEnhancedProxy } = deps
  return {
    async startBatchScrape(team: Team, request: BatchScrapeRequest, idempotencyKey: string | undefined) {
      throwIfImpossible(request)
      assertParentOptions(request, request)
      await checkReceiver(guard, request.webhook)
      const price = maxPrice(request, hasEnhancedProxy)
      return startBatchScrape(deps, team, { request, idempotencyKey, price })
    },
    async batchScrapeErrors(team: Team, id: string) {
      return listPageErrors(deps, await queue.find(team, id, 'batch_scrape'))
    },
  }
}

export function crawlUseCases(deps: UseCaseDeps) {
  const { kinds, queue, guard, reader, hasEnhancedProxy } = deps
  const preview = (team: Team, request: { url: string; prompt: string }, signal: AbortSignal) => {
    const discoverDeps = () => kinds.discoverDepsFor(team.id, { headers: {}, location: undefined })
    return previewCrawl(
      {
        seenPaths: (start) => seenPaths(discoverDeps(), { teamId: team.id, start }, signal),
        readPrompt: (prompt, paths) => reader.prompt(prompt, paths, { who: { team: team.id }, signal }),
      },
      request,
    )
  }
  return {
    async startCrawl(
      team: Team,
      request: CrawlRequest,
      { idempotencyKey, signal }: { idempotencyKey: string | undefined; signal: AbortSignal },
    ) {
      throwIfImpossible(request.scrapeOptions)
      assertParentOptions(request, request.scrapeOptions)
      await checkPatterns(request)
      await checkReceiver(guard, request.webhook)
      const { prompt, url } = request
      const promptPreview = prompt === undefined ? undefined : await preview(team, { url, prompt }, signal)
      const options = resolveOptions(request, promptPreview?.options ?? {})
      const price = maxPrice({ ...options.scrapeOptions, zeroDataRetention: false }, hasEnhancedProxy)
      const id = await startCrawl(deps, team, { request, options, price, idempotencyKey })
      return { id, promptPreview, options }
    },
    async crawlErrors(team: Team, id: string) {
      return crawlErrors(deps, await queue.find(team, id, 'crawl'))
    },
    activeCrawls: (team: Team) => activeCrawls(deps, team),
    previewCrawl: preview,
  }
}

export function extractUseCases(deps: UseCaseDeps) {
  const { queue, guard, models, hasEnhancedProxy } = deps
  return {
    async startExtract(team: Team, request: ExtractRequest, idempotencyKey: string | undefined) {
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      throwIfImpossible(page)
      assertParentOptions({ zeroDataRetention: false }, page)
      await checkReceiver(guard, request.webhook)
      const price = maxPrice(page, hasEnhancedProxy)
      const hasModel = models(team.id) !== undefined
      return startExtract({ ...deps, hasModel }, team, { request, price, idempotencyKey })
    },
    /** Finds an extract, or else an agent: the activity list links agents to the extract endpoint as well. */
    async extractStatus(team: Team, id: string) {
      const row = await queue.findOwn(team, id, 'extract').catch((thrown) => {
        if (thrown instanceof AppError && thrown.code === 'JOB_NOT_FOUND')
          return queue.findOwn(team, id, 'agent')
        throw thrown
      })
      return row.kind === 'agent' ? agentAsExtract(deps, row) : readExtract(deps, row)
    },
  }
}

export function agentUseCases(deps: UseCaseDeps) {
  const { queue, guard, hasEnhancedProxy } = deps
  const find = (team: Team, id: string) => queue.findOwn(team, id, 'agent')
  return {
    ...bindAll(deps, { list: listAgents, thread: readThread }),
    async start(team: Team, request: AgentRequest, idempotencyKey: string | undefined) {
      await checkReceiver(guard, request.webhook)
      const page = pageRequest(request, { url: 'https://example.com/', schema: {} })
      const price = maxPrice(page, hasEnhancedProxy)
      return startAgent(deps, team, { request, price, idempotencyKey })
    },
    status: async (team: Team, id: string) => readAgent(deps, await find(team, id)),
    trace: async (team: Team, id: string) => readTrace(deps, await find(team, id)),
    snapshot: async (team: Team, id: string, snapshotId: string) =>
      readSnapshot(deps, await find(team, id), snapshotId),
  }
}
