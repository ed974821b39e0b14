import type { SiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { Page } from '../../content/page.ts'
import type { PageParts, PartWishes } from '../../extraction/page-data/parts.ts'
import type { PageRoom } from '../../extraction/threads/page-rooms.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { type Deadline, startDeadline } from '../../platform/deadline.ts'
import type { FileShelf } from '../files.ts'
import type { Needs } from '../needs.ts'
import type { AudioNeeds } from './audio.ts'
import type { PageCache } from './cache.ts'
import type { HistoryNeeds } from './change-tracking.ts'
import type { ScrapePlan } from './plan.ts'
import type { Document, ScrapeRequest } from './schema.ts'

/** What reading and rendering a page need of the installation. */
export interface ReadNeeds
  extends Pick<
    Needs,
    'fetching' | 'documents' | 'reader' | 'models' | 'indexing' | 'sentences' | 'bounds' | 'log'
  > {
  cache: PageCache
  files: FileShelf
  histories: HistoryNeeds
  audio: Pick<AudioNeeds, 'client' | 'ffmpeg'>
}

/** What makes a page of a crawl different from a page alone. */
export interface AmongPages {
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
  room: PageRoom
  /** The parts of the page that are read. */
  wishes: PartWishes
}

/** The end of a call, and the page that was read for it, where it came so far. */
export interface Scraped {
  outcome: Outcome<Document>
  read?: { page: Page; parts: PageParts }
}

export function startCall(
  job: RunningJob<ScrapeRequest>,
  how: { plan: ScrapePlan; room: PageRoom; signal: AbortSignal; among: AmongPages | undefined },
): ScrapeCall {
  const { plan, room, signal, among } = how
  const deadline = startDeadline(job.input.timeout - job.spentMs, 'SCRAPE_TIMEOUT', signal)
  const wishes: PartWishes = {
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
export const poolJobOf = (job: Pick<RunningJob<unknown>, 'id' | 'parentId'>) => job.parentId ?? job.id

/** Whose turn it is: nobody waits for a single page of a crawl or a batch. */
export const whoOf = (job: RunningJob<unknown>) => ({ team: job.teamId, isBackground: job.isBackground })
