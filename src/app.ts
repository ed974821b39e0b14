import type { Team } from './accounts/team.ts'
import type { Clock } from './base/clock.ts'
import { AppError } from './base/errors.ts'
import type { Log } from './base/log.ts'
import type { LadderNeeds } from './engine/fetch-page.ts'
import { listTeamActivity } from './features/activity.ts'
import {
  type BatchNeeds,
  type BatchScrapeRequest,
  batchScrapeErrors,
  batchScrapeStatus,
  startBatchScrape,
} from './features/batch-scrape.ts'
import type { Capability } from './features/capabilities.ts'
import { fileShelf } from './features/files.ts'
import { pageCache } from './features/scrape/cache.ts'
import { mayRetain, mostPrice, refuseImpossible } from './features/scrape/plan.ts'
import type { Document, ScrapeRequest } from './features/scrape/schema.ts'
import { scrape, scrapeFromCache } from './features/scrape/scrape.ts'
import { creditHistory, creditUsage, queueStatus, type TimeRange } from './features/usage.ts'
import type { RecordEnding } from './jobs/endings.ts'
import { foreground } from './jobs/foreground.ts'
import type { Holder } from './jobs/holder.ts'
import { defineJob } from './jobs/job.ts'
import { createQueue } from './jobs/queue.ts'
import type { AnyJobKind } from './jobs/runner.ts'
import type { HttpClient } from './network/client.ts'
import type { Blobs } from './ports/blobs.ts'
import type { Store } from './store/schema.ts'

export interface AppNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
  holder: Holder
  recordEnding: RecordEnding
  ladder: LadderNeeds
  hasEnhancedProxy: boolean
  audio: { client: HttpClient; ffmpeg: string | undefined }
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
  const scrapeNeeds = { cache, files, ladder: needs.ladder, histories: needs, audio: needs.audio }
  const scrapeKind = defineJob<ScrapeRequest, Document>({
    kind: 'scrape',
    takesSlot: true,
    onRecord: ({ headers: _, ...kept }) => kept,
    atOnce: (job, signal) => scrapeFromCache(scrapeNeeds, job, signal),
    run: (job, signal) => scrape(scrapeNeeds, job, signal),
  })
  const runNow = foreground(needs, needs.teamConcurrency)
  const queue = createQueue(needs)
  const batch: BatchNeeds = { ...needs, queue, scrape: scrapeKind }
  const kinds: AnyJobKind[] = [scrapeKind]

  return {
    kinds,
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
      return runNow(scrapeKind, order, { timeoutMs: request.timeout, signal })
    },

    async scrapeResult(team: Team, id: string): Promise<unknown> {
      const result = await queue.resultOf(await queue.find(team, id, 'scrape'))
      if (result === undefined) throw new AppError('JOB_NOT_FOUND')
      return result
    },

    startBatchScrape(team: Team, request: BatchScrapeRequest, idempotencyKey: string | undefined) {
      refuseImpossible(request)
      const price = mostPrice({ ...request, zeroDataRetention: false }, needs.hasEnhancedProxy)
      return startBatchScrape(batch, team, { request, idempotencyKey, price })
    },
    async batchScrapeStatus(team: Team, id: string, page: { skip: number; limit: number }) {
      return batchScrapeStatus(batch, await queue.find(team, id, 'batch_scrape'), page)
    },
    async batchScrapeErrors(team: Team, id: string) {
      return batchScrapeErrors(batch, await queue.find(team, id, 'batch_scrape'))
    },
    async cancelBatchScrape(team: Team, id: string) {
      await queue.cancel(await queue.find(team, id, 'batch_scrape'))
    },

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
