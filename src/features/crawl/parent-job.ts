import type { ErrorCode } from '../../base/errors.ts'
import type { EndedChild, ParentEnd } from '../../jobs/parent-job.ts'
import { changeCrawl, countWaiting, findCrawl } from '../../store/frontier.ts'
import { readError } from '../../store/job-errors.ts'
import type { JobRow } from '../../store/jobs.ts'
import { countChildren, countLiving, firstFailed } from '../../store/parent-jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { advance, newsOf, noNews } from './advance.ts'
import { storedOptions } from './options.ts'

/** Nothing is wrong where these are all that happened. */
const noFailures: ErrorCode[] = ['SCRAPE_RACED_REDIRECT_ERROR', 'CRAWL_START_LEFT_OUT']

/** What a crawl does when pages of it end, and when no page is left. */
export function crawlHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      const now = ended[0]?.ending.now ?? parent.created_at
      await advance(store, transaction, { parent, ...newsOf(ended), now })
    },

    /** Undefined: there was more to take. Otherwise every address that still waits gets its reason. */
    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      await advance(store, transaction, { parent, ...noNews, now })
      if ((await countLiving(transaction, parent.id)) > 0) return undefined
      const crawl = await findCrawl(transaction, parent.id)
      if (crawl && (await countWaiting(transaction, parent.id, 1)) > 0) {
        const isFull = crawl.room <= 0 || crawl.tries <= 0
        const isLate = now >= parent.deadline_at
        const reason = isFull ? 'limit' : isLate ? 'deadline' : 'credits'
        await changeCrawl(transaction, parent.id, { rest_reason: reason })
      }
      const { completed } = await countChildren(transaction, parent.id)
      const failed = completed > 0 ? undefined : await firstFailed(transaction, parent.id, noFailures)
      if (!failed) return { state: 'completed' }
      const error = readError(failed.error)
      return { state: 'failed', ...(error ? { error } : {}) }
    },

    async ended(transaction: Queryable, parent: JobRow, end: ParentEnd): Promise<void> {
      if (end.state === 'cancelled') await changeCrawl(transaction, parent.id, { rest_reason: 'cancelled' })
      const crawl = await findCrawl(transaction, parent.id)
      if (!crawl) return
      // Headers may hold secrets of the caller, and no page will need them any more.
      const options = storedOptions.read(crawl.options)
      const scrapeOptions = { ...options.scrapeOptions, headers: {} }
      await changeCrawl(transaction, parent.id, {
        options: storedOptions.write({ ...options, scrapeOptions }),
      })
    },
  }
}
