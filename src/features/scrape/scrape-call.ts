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

/** What reading and rendering a page need of the installation. */
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

/** What makes a page of a crawl different from a page alone. */
export interface CrawlPageContext {
  /** What the pages of the same crawl said. */
  site: SiteBlocks | undefined
  /** When the page was changed, as a sitemap says. */
  modifiedAt: number | undefined
}

/** One call on its way. */
export interface ScrapeCall {
  job: RunningJob<ScrapeRequest>
  plan: ScrapePlan
  deadline: Deadline
  room: MemoryPermit
  /** The parts of the page that are read. */
  wishes: PartRequests
}

/** The end of a call, and the page that was read for it, where it came so far. */
export interface Scraped {
  outcome: Outcome<Document>
  read?: { page: Page; parts: PageParts }
}

export function startCall(
  job: RunningJob<ScrapeRequest>,
  how: { plan: ScrapePlan; room: MemoryPermit; signal: AbortSignal; among: CrawlPageContext | undefined },
): ScrapeCall {
  const { plan, room, signal, among } = how
  const deadline = startDeadline(job.input.timeout - job.spentMs, 'SCRAPE_TIMEOUT', signal)
  const wishes: PartRequests = {
    ...plan.fetch.wishes,
    // Both are made of the same choice of parts.
    ...((plan.fetch.wishes.markdown || plan.fetch.wishes.html) && { account: true as const }),
    // A page of a crawl is asked where it leads to as well, and one that is kept what it can be found by.
    ...(among && { follow: true as const }),
    ...(plan.cache.write && { search: { modifiedAt: among?.modifiedAt } }),
  }
  return { job, plan, deadline, room, wishes }
}

/** Returns the id of the job whose pages may share connections. */
export const poolRequestOf = (job: Pick<RunningJob<unknown>, 'id' | 'parentId'>) => job.parentId ?? job.id

/** Whose turn it is: nobody waits for a single page of a crawl or a batch. */
export const requesterOf = (job: RunningJob<unknown>) => ({
  team: job.teamId,
  isBackground: job.isBackground,
})
