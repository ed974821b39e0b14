import { toAppError } from '../../platform/errors.ts'
import { limitConcurrency } from '../../platform/permits.ts'
import type { Document, ScrapeRequest } from '../scrape/schema.ts'
import type { NewsResult, SearchData, SearchRequest, WebResult } from './schema.ts'

/** The results that are pages; images are not scraped. */
const scrapedSources = ['web', 'news'] as const

export interface ScrapeResultsRequest {
  request: SearchRequest
  data: SearchData
  zeroDataRetention: boolean
  /** How much of the call's time is left, in milliseconds. */
  remaining(): number
  /** Scrapes one page as a job of its own, within `timeoutMs`. */
  scrape(input: ScrapeRequest, timeoutMs: number): Promise<Document>
}

/** More at once would only wait for slots of the team. */
const atOnce = 10
/** Taken off the time of the scrapes, to put the answer together. */
const reserve = 200

/** Results with what was scraped of each; one whose scrape failed keeps what it has, and says why. */
export async function scrapeResults(
  order: ScrapeResultsRequest,
): Promise<{ data: SearchData; credits: number }> {
  const limited = limitConcurrency(atOnce)
  const pages = new Map(urlsOf(order.data).map((url) => [url, limited(() => scrapeOne(order, url))]))
  const data: SearchData = { ...order.data }
  if (data.web)
    data.web = await Promise.all(
      data.web.map(async (one): Promise<WebResult> => withPage(one, await pages.get(one.url))),
    )
  if (data.news)
    data.news = await Promise.all(
      data.news.map(async (one): Promise<NewsResult> => withPage(one, await pages.get(one.url))),
    )
  const ended = await Promise.all(pages.values())
  return { data, credits: ended.reduce((sum, { metadata }) => sum + (metadata?.creditsUsed ?? 0), 0) }
}

/** What is asked of each page; the same page may stand in two lists. */
export function urlsOf(data: SearchData): string[] {
  return [...new Set(scrapedSources.flatMap((source) => (data[source] ?? []).map(({ url }) => url)))]
}

/** The request by which a result is scraped. */
export function scrapeInput(
  { scrapeOptions, origin, integration }: SearchRequest,
  { url, zeroDataRetention }: { url: string; zeroDataRetention: boolean },
): ScrapeRequest | undefined {
  return scrapeOptions && { ...scrapeOptions, url, zeroDataRetention, origin, integration }
}

type ScrapedPage = Partial<Omit<Document, 'metadata'>> & { metadata?: Partial<Document['metadata']> }

async function scrapeOne(order: ScrapeResultsRequest, url: string): Promise<ScrapedPage> {
  const input = scrapeInput(order.request, { url, zeroDataRetention: order.zeroDataRetention })
  if (!input) return {}
  const timeout = Math.min(input.timeout, order.remaining() - reserve)
  if (timeout < 1) return failed(url, 'The search ended before this result could be scraped. Raise timeout.')
  try {
    return await order.scrape({ ...input, timeout }, timeout)
  } catch (thrown) {
    const { code, message, detail } = toAppError(thrown)
    // A repeated search whose first call still scrapes: the caller gets all pages when it calls again.
    if (code === 'IDEMPOTENCY_KEY_REUSED' && detail.retryAfter !== undefined) throw thrown
    const statusCode = typeof detail.statusCode === 'number' ? { statusCode: detail.statusCode } : {}
    return failed(url, message, statusCode)
  }
}

function failed(url: string, error: string, more: { statusCode?: number } = {}): ScrapedPage {
  return { metadata: { sourceURL: url, url, error, ...more } }
}

/** What stands in the list stays, whatever the page says of itself. */
function withPage<Result extends WebResult | NewsResult>(result: Result, page: ScrapedPage = {}): Result {
  return { ...page, ...result }
}
