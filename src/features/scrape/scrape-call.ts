import type { SiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import type { PageParts, PartRequests } from '../../extraction/page-parts/parts.ts'
import type { MemoryPermit } from '../../extraction/workers/memory-permits.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { type Deadline, startDeadline } from '../../platform/deadline.ts'
import type { FileStorage } from '../file-storage.ts'
import type { Deps } from '../needs.ts'
import type { AudioDeps } from './audio.ts'
import type { PageCache } from './cache.ts'
import type { HistoryDeps } from './change-tracking.ts'
import type { ScrapePlan } from './plan.ts'
import type { Document, ScrapeRequest } from './schema.ts'

export interface ReadDeps
  extends Pick<
    Deps,
    'fetching' | 'documents' | 'reader' | 'models' | 'indexing' | 'sentences' | 'bounds' | 'log'
  > {
  cache: PageCache
  files: FileStorage
  histories: HistoryDeps
  audio: Pick<AudioDeps, 'client' | 'ffmpeg'>
}

export interface CrawlPageContext {
  site: SiteBlocks | undefined
  modifiedAt: number | undefined
}

export interface ScrapeCall {
  job: RunningJob<ScrapeRequest>
  plan: ScrapePlan
  deadline: Deadline
  permit: MemoryPermit
  requestedParts: PartRequests
}

export interface Scraped {
  outcome: Outcome<Document>
  read?: { page: Page; parts: PageParts }
}

export function startCall(
  job: RunningJob<ScrapeRequest>,
  options: Pick<ScrapeCall, 'plan' | 'permit'> & {
    signal: AbortSignal
    crawlContext?: CrawlPageContext | undefined
  },
): ScrapeCall {
  const { plan, permit, signal, crawlContext } = options
  const deadline = startDeadline(job.input.timeout - job.spentMs, 'SCRAPE_TIMEOUT', signal)
  const requestedParts: PartRequests = {
    ...plan.fetch.requestedParts,
    // Markdown and HTML are made from the same selection of parts, which `account` counts.
    ...((plan.fetch.requestedParts.markdown || plan.fetch.requestedParts.html) && { account: true as const }),
    ...(crawlContext && { follow: true as const }),
    ...(plan.cache.write && { search: { modifiedAt: crawlContext?.modifiedAt } }),
  }
  return { job, plan, deadline, permit, requestedParts }
}

export const poolRequestOf = (job: Pick<RunningJob<unknown>, 'id' | 'parentId'>) => job.parentId ?? job.id

export const requesterOf = (job: RunningJob<unknown>) => ({
  team: job.teamId,
  isBackground: job.isBackground,
})
