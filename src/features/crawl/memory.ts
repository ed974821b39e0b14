import type { Clock } from '../../base/clock.ts'
import { findCrawl } from '../../store/frontier.ts'
import type { Store } from '../../store/schema.ts'
import type { Scope } from '../discover/scope.ts'
import { type CrawlOptions, scopeOf } from './options.ts'

export interface KnownCrawl {
  options: CrawlOptions
  scope: Scope
}

const mostRemembered = 500

/** The options of crawls that pages of this process belong to: they never change, and their patterns are compiled once. */
export function crawlMemory(needs: { store: Store; clock: Clock }) {
  const known = new Map<string, KnownCrawl>()
  return async (crawlId: string): Promise<KnownCrawl> => {
    const found = known.get(crawlId)
    if (found) return found
    const row = await findCrawl(needs.store.query, crawlId)
    if (!row) throw new Error('A page belongs to a crawl that is not there.')
    // Written by the submission of the crawl.
    const options = JSON.parse(row.options) as CrawlOptions
    const crawl = { options, scope: scopeOf(options, needs.clock.now()) }
    if (known.size >= mostRemembered) known.clear()
    known.set(crawlId, crawl)
    return crawl
  }
}

export type CrawlMemory = ReturnType<typeof crawlMemory>
