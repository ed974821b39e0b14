import type { Clock } from '../../base/clock.ts'
import { readUrl } from '../../base/url.ts'
import { byRelevance } from '../../page-data/url-relevance.ts'
import { type DiscoverNeeds, discover } from '../discover/discover.ts'
import type { FoundPage } from '../discover/page-list.ts'
import { allWanted } from '../discover/patterns.ts'
import { createScope } from '../discover/scope.ts'

export interface SiteOrder {
  teamId: string
  url: string
  /** What is looked for: its words decide which pages come first. */
  about: string
  sitemap: 'skip' | 'include'
  subdomains: boolean
  external: boolean
  /** The time that it may take. */
  ms: number
}

export interface FoundUrls {
  pages: FoundPage[]
  notes: string[]
}

/** All that is looked at of a site before the most relevant pages are taken. */
const mostListed = 5000
const mostRead = 50
const longestMs = 60_000

/** Pages of a site, the most relevant first. */
export async function findUrls(
  needs: DiscoverNeeds & { clock: Clock; giveWay(): Promise<void> },
  order: SiteOrder,
  signal: AbortSignal,
): Promise<FoundUrls> {
  const ms = Math.min(order.ms, longestMs)
  const request = {
    teamId: order.teamId,
    start: readUrl(order.url),
    scopeFrom: (home: URL) =>
      createScope(home, {
        ...{ entireDomain: false, subdomains: order.subdomains, external: order.external },
        now: needs.clock.now(),
      }),
    patterns: allWanted,
    sitemap: order.sitemap,
    sitemapMs: Math.round(ms / 2),
    ...{ ignoreQueryParameters: false, ignoreCache: false },
    ...{ limit: mostListed, enough: mostListed, mostPages: mostRead },
  }
  const within = AbortSignal.any([signal, AbortSignal.timeout(ms)])
  const { pages, notes } = await discover(needs, request, within)
  signal.throwIfAborted()
  return { pages: await byRelevance(pages, order.about, needs.giveWay), notes }
}
