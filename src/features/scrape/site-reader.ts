import { startDeadline } from '../../base/deadline.ts'
import type { SiteLinks } from '../../content/site-links.ts'
import { fetchPage, type LadderNeeds } from '../../engine/fetch-page.ts'
import type { PageBounds } from '../../engine/fetch-plan.ts'
import type { HttpAnswer, HttpClient } from '../../network/client.ts'
import type { PageRooms } from '../../readers/page-rooms.ts'
import { browserHeaders } from './browser-headers.ts'
import { planScrape } from './plan.ts'
import { type ScrapeRequest, scrapeRequest } from './schema.ts'

const timeout = 30_000
const largestFile = 64 * 1024 * 1024

export interface LinkNeeds {
  ladder: LadderNeeds
  bounds: { page: PageBounds }
  rooms: PageRooms
}

/** Reads pages for their links alone, on the same ladder as a scrape: in a browser where that is needed. */
export function linkReader(
  { ladder, bounds, rooms }: LinkNeeds,
  options: { teamId: string } & Pick<ScrapeRequest, 'headers' | 'location'>,
) {
  const { teamId, ...given } = options
  return async (url: URL, signal: AbortSignal): Promise<(SiteLinks & { url: string }) | undefined> => {
    const { fetch } = planScrape(scrapeRequest.parse({ ...given, url: url.href, formats: [] }), teamId)
    const room = rooms({ team: teamId })
    const plan = {
      ...fetch,
      wishes: { siteLinks: true as const },
      mostBytes: bounds.page,
      isBackground: false,
      room,
    }
    try {
      const deadline = startDeadline(timeout, 'SCRAPE_TIMEOUT', signal)
      const { page, parts } = await fetchPage(ladder, plan, deadline)
      return parts && { ...parts.siteLinks(), url: page.url }
    } finally {
      room.leave()
    }
  }
}

/** Gets files that sites put up for machines: by plain HTTP, on the ordinary way. */
export function fileGetter(ladder: LadderNeeds, client: HttpClient) {
  return (url: URL, signal: AbortSignal): Promise<HttpAnswer> => {
    const plan = planScrape(scrapeRequest.parse({ url: url.href }), '')
    return client.get(
      {
        url,
        headers: browserHeaders(),
        callerHeaders: {},
        verifyTls: false,
        bound: () => ({ bound: 'the largest file of a site', bytes: largestFile }),
        upstream: ladder.ways(plan.fetch).basic.upstream,
      },
      AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    )
  }
}
