import { documentPrice } from './accounts/prices.ts'
import type { Team } from './accounts/team.ts'
import { jobKinds } from './app/kinds.ts'
import { type SessionSetup, sessionUseCases } from './app/sessions.ts'
import type { Clock } from './base/clock.ts'
import { AppError } from './base/errors.ts'
import type { Log } from './base/log.ts'
import type { Profiles } from './browser/profiles.ts'
import type { DocumentNeeds } from './documents/read-document.ts'
import type { LadderNeeds } from './engine/fetch-page.ts'
import type { PageBounds } from './engine/fetch-plan.ts'
import { listTeamActivity } from './features/activity.ts'
import { type BatchScrapeRequest, startBatchScrape } from './features/batch-scrape.ts'
import type { Capability } from './features/capabilities.ts'
import { activeCrawls, type CrawlNeeds, crawlStatus, startCrawl } from './features/crawl/crawl.ts'
import { crawlErrors } from './features/crawl/errors.ts'
import { type CrawlOptions, decideOptions } from './features/crawl/options.ts'
import { type Preview, previewCrawl, seenPaths } from './features/crawl/preview.ts'
import type { CrawlRequest } from './features/crawl/schema.ts'
import {
  type DeliveryQuery,
  documentOf,
  fireTest,
  listTeamDeliveries,
  replay,
} from './features/deliveries.ts'
import { familyErrors, familyStatus, type PageOfDocuments, refuseForFamilies } from './features/family.ts'
import { fileShelf } from './features/files.ts'
import { type MapRequest, type MapResult, mapTime } from './features/map.ts'
import { type ParsedDocument, type ParseOptions, refuseForFiles, type SentFile } from './features/parse.ts'
import { pageCache } from './features/scrape/cache.ts'
import { mayRetain, refuseImpossible } from './features/scrape/plan.ts'
import { mostPrice } from './features/scrape/price.ts'
import type { Document, ScrapeRequest } from './features/scrape/schema.ts'
import { creditHistory, creditUsage, queueStatus, type TimeRange } from './features/usage.ts'
import { type FamilyEvent, watchFamily } from './features/watch.ts'
import type { RecordEnding } from './jobs/endings.ts'
import type { Families } from './jobs/family.ts'
import { foreground } from './jobs/foreground.ts'
import type { Holder } from './jobs/holder.ts'
import type { Load } from './jobs/load.ts'
import { createQueue } from './jobs/queue.ts'
import type { AnyJobKind } from './jobs/runner.ts'
import type { HttpClient } from './network/client.ts'
import type { Guard } from './network/guard.ts'
import type { Blobs } from './ports/blobs.ts'
import type { PageReader } from './readers/page-reader.ts'
import type { PageRooms } from './readers/page-rooms.ts'
import type { DeliveryRow } from './store/deliveries.ts'
import type { JobRow } from './store/jobs.ts'
import type { Store } from './store/schema.ts'
import { checkReceiver } from './webhooks/check-receiver.ts'
import type { Webhook } from './webhooks/schema.ts'

export interface AppNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
  holder: Holder
  recordEnding: RecordEnding
  families: Families
  load: Load
  ladder: LadderNeeds
  documents: DocumentNeeds
  reader: PageReader
  rooms: PageRooms
  bounds: { page: PageBounds; answerBytes: number }
  hasEnhancedProxy: boolean
  profiles: Profiles
  client: HttpClient
  guard: Guard
  ffmpeg: string | undefined
  sessions: SessionSetup
  publicUrl: () => string
  teamConcurrency: number
  retentionHours: number
  version: string
  capabilities: Capability[]
}

/** Binds each feature to what it needs: the list of use cases, and of job kinds. */
export function createApp(needs: AppNeeds) {
  const cache = pageCache({ ...needs, isShared: needs.store.isShared })
  const files = fileShelf(needs)
  const kinds = jobKinds({ ...needs, cache, files })
  const runNow = foreground(needs, needs.teamConcurrency)
  const queue = createQueue(needs)
  const delivering = { ...needs, queue }
  const crawl: CrawlNeeds = { ...needs, queue, startKind: kinds.crawlStart }
  const statusOf = (row: JobRow, page: PageOfDocuments) =>
    row.kind === 'crawl' ? crawlStatus(crawl, row, page) : familyStatus({ ...needs, queue }, row, page)
  const inBackground: AnyJobKind[] = [kinds.scrape, kinds.crawlStart]

  const preview = (team: Team, request: { url: string; prompt: string }, signal: AbortSignal) =>
    previewCrawl(
      {
        seenPaths: (start) =>
          seenPaths(
            kinds.discovering(team.id, { headers: {}, location: undefined }),
            { teamId: team.id, start },
            signal,
          ),
      },
      request,
    )

  return {
    kinds: inBackground,
    version: needs.version,
    capabilities: needs.capabilities,

    scrape(team: Team, request: ScrapeRequest, signal: AbortSignal): Promise<Document> {
      if (request.zeroDataRetention && !team.zeroRetention) throw new AppError('ZERO_RETENTION_NOT_ENABLED')
      refuseImpossible(request)
      const order = {
        team,
        input: request,
        target: request.url,
        origin: request.origin,
        retain: mayRetain(request),
        deadlineAt: needs.clock.now() + request.timeout,
        price: mostPrice(request, needs.hasEnhancedProxy),
      }
      return runNow(kinds.scrape, order, { timeoutMs: request.timeout, signal })
    },

    parse(team: Team, file: SentFile, options: ParseOptions, signal: AbortSignal): Promise<ParsedDocument> {
      if (options.zeroDataRetention && !team.zeroRetention) throw new AppError('ZERO_RETENTION_NOT_ENABLED')
      refuseForFiles(options)
      const order = {
        team,
        input: { file, options },
        target: file.name,
        origin: options.origin,
        retain: !options.zeroDataRetention,
        deadlineAt: needs.clock.now() + options.timeout,
        price: documentPrice({ pages: 1, zeroRetention: options.zeroDataRetention }),
      }
      return runNow(kinds.parse, order, { timeoutMs: options.timeout, signal })
    },

    async scrapeResult(team: Team, id: string): Promise<unknown> {
      const result = await queue.resultOf(await queue.find(team, id, 'scrape'))
      if (result === undefined) throw new AppError('JOB_NOT_FOUND')
      return result
    },

    async startBatchScrape(team: Team, request: BatchScrapeRequest, idempotencyKey: string | undefined) {
      refuseImpossible(request)
      refuseForFamilies(request, request)
      await checkReceiver(needs.guard, request.webhook)
      const price = mostPrice(request, needs.hasEnhancedProxy)
      return startBatchScrape({ ...needs, queue, scrape: kinds.scrape }, team, {
        request,
        idempotencyKey,
        price,
      })
    },
    async batchScrapeErrors(team: Team, id: string) {
      return familyErrors(needs, await queue.find(team, id, 'batch_scrape'))
    },

    async startCrawl(
      team: Team,
      request: CrawlRequest,
      how: { idempotencyKey: string | undefined; signal: AbortSignal },
    ): Promise<StartedCrawl> {
      refuseImpossible(request.scrapeOptions)
      refuseForFamilies(request, request.scrapeOptions)
      await checkReceiver(needs.guard, request.webhook)
      const { prompt, url } = request
      const wished = prompt === undefined ? undefined : await preview(team, { url, prompt }, how.signal)
      const options = decideOptions(request, wished?.options ?? {})
      const price = mostPrice({ ...options.scrapeOptions, zeroDataRetention: false }, needs.hasEnhancedProxy)
      const id = await startCrawl(crawl, team, {
        request,
        options,
        price,
        idempotencyKey: how.idempotencyKey,
      })
      return { id, wished, options }
    },
    async crawlErrors(team: Team, id: string) {
      return crawlErrors(crawl, await queue.find(team, id, 'crawl'))
    },
    activeCrawls: (team: Team) => activeCrawls(crawl, team),
    previewCrawl: preview,

    /** Progress and documents of a crawl or a batch. */
    async familyStatus(team: Team, job: { id: string; kind: FamilyKind }, page: PageOfDocuments) {
      return statusOf(await queue.findOwn(team, job.id, job.kind), page)
    },
    /** What somebody who watches a crawl or a batch is told, until it has ended. */
    async watchFamily(
      team: Team,
      job: { id: string; kind: FamilyKind },
      signal: AbortSignal,
    ): Promise<AsyncGenerator<FamilyEvent>> {
      const { id } = await queue.find(team, job.id, job.kind)
      const status = async (limit: number) =>
        statusOf(await queue.find(team, id, job.kind), { skip: 0, limit })
      return watchFamily({ ...needs, queue, status }, id, signal)
    },
    async cancelFamily(team: Team, job: { id: string; kind: FamilyKind }) {
      await queue.cancel(await queue.findOwn(team, job.id, job.kind))
    },

    map(team: Team, request: MapRequest, signal: AbortSignal): Promise<MapResult> {
      const timeoutMs = mapTime(request)
      const order = {
        team,
        input: request,
        target: request.url,
        origin: request.origin,
        retain: true,
        deadlineAt: needs.clock.now() + timeoutMs,
        price: 1,
      }
      return runNow(kinds.map, order, { timeoutMs, signal })
    },

    /** Browser sessions, and interact. */
    sessions: sessionUseCases(needs, queue),

    deliveries: (team: Team, page: DeliveryQuery) => listTeamDeliveries(delivering, team, page),
    replayDelivery: (team: Team, id: string) => replay(delivering, team, id),
    async fireTestWebhook(team: Team, webhook: Webhook) {
      await checkReceiver(needs.guard, webhook)
      return fireTest(delivering, team, webhook)
    },
    documentOf: (row: DeliveryRow) => documentOf(delivering, row),

    readFile: (id: string, expires: string, signature: string) => files.read(id, expires, signature),

    activity: (team: Team, page: Parameters<typeof listTeamActivity>[2]) =>
      listTeamActivity(needs, team, page),
    creditUsage: (team: Team) => creditUsage(needs, team),
    creditHistory: (team: Team, options: { range: TimeRange; byApiKey: boolean }) =>
      creditHistory(needs, team, options),
    queueStatus: (team: Team) => queueStatus(needs, team),

    /** Resolves when nothing is left to be written behind an answer. */
    settled: () => cache.settled(),
  }
}

export type App = ReturnType<typeof createApp>

export type FamilyKind = 'crawl' | 'batch_scrape'

interface StartedCrawl {
  id: string
  /** What a prompt came to. */
  wished: Preview | undefined
  options: CrawlOptions
}
