import { startDeadline } from '../../base/deadline.ts'
import { type SiteLinks, siteLinks } from '../../content/site-links.ts'
import { fetchPage, type LadderNeeds } from '../../engine/fetch-page.ts'
import type { HttpAnswer, HttpClient } from '../../network/client.ts'
import { browserHeaders } from './browser-headers.ts'
import { planScrape } from './plan.ts'
import { type ScrapeRequest, scrapeRequest } from './schema.ts'

const timeout = 30_000
const largestFile = 64 * 1024 * 1024

/** Reads pages for their links alone, on the same ladder as a scrape: in a browser where that is needed. */
export function linkReader(
  ladder: LadderNeeds,
  options: { teamId: string } & Pick<ScrapeRequest, 'headers' | 'location'>,
) {
  const { teamId, ...given } = options
  return async (url: URL, signal: AbortSignal): Promise<(SiteLinks & { url: string }) | undefined> => {
    const plan = planScrape(scrapeRequest.parse({ ...given, url: url.href, formats: [] }), teamId)
    const { page, content } = await fetchPage(
      ladder,
      plan.fetch,
      startDeadline(timeout, 'SCRAPE_TIMEOUT', signal),
    )
    return content && { ...siteLinks(content.rawHtml(), page.url), url: page.url }
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
        maxBytes: largestFile,
        upstream: ladder.ways(plan.fetch).basic.upstream,
      },
      AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
    )
  }
}
