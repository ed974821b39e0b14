import type { Clock } from '../../base/clock.ts'
import { noSiteBlocks, type SiteBlocks } from '../../content/main-content/site-blocks.ts'
import { findCrawl } from '../../store/frontier.ts'
import type { Store } from '../../store/schema.ts'
import type { Scope } from '../discover/scope.ts'
import { type CrawlOptions, scopeOf, storedOptions } from './options.ts'

export interface KnownCrawl {
  options: CrawlOptions
  scope: Scope
  /** What its pages said, as far as they were read here. */
  site: SiteBlocks
  /** It has met as many addresses as are kept: further ones need not be looked at. */
  isFull: boolean
}

/** The texts of one crawl take up to a megabyte. */
const mostRemembered = 100

/**
 * What this process knows of the crawls that its pages belong to, last used last: their options and the texts of their
 * pages. One that was dropped is read again, and its texts are gathered anew. So is one of which another process has seen
 * that its start leads to another home: the caller says what home it knows of.
 */
export function crawlMemory(needs: { store: Store; clock: Clock }) {
  const known = new Map<string, KnownCrawl>()
  const knownAt = (crawlId: string, home: string | undefined) => {
    const crawl = known.get(crawlId)
    return home === undefined || crawl?.options.home === home ? crawl : undefined
  }
  return async (crawlId: string, home?: string): Promise<KnownCrawl> => {
    const found = knownAt(crawlId, home) ?? (await open(needs, crawlId))
    // Looked up again after the wait: another page of the crawl may have been first.
    const crawl = knownAt(crawlId, home) ?? found
    known.delete(crawlId)
    known.set(crawlId, crawl)
    const [oldest] = known.keys()
    if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest)
    return crawl
  }
}

export type CrawlMemory = ReturnType<typeof crawlMemory>

async function open({ store, clock }: { store: Store; clock: Clock }, crawlId: string): Promise<KnownCrawl> {
  const row = await findCrawl(store.query, crawlId)
  if (!row) throw new Error('A page belongs to a crawl that is not there.')
  const options = storedOptions.read(row.options)
  return { options, scope: await scopeOf(options, clock.now()), site: noSiteBlocks(), isFull: false }
}
