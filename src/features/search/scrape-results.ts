import { toAppError } from '../../platform/errors.ts'
import { limitConcurrency } from '../../platform/permits.ts'
import { present } from '../present.ts'
import type { Document, ScrapeRequest } from '../scrape/schema.ts'
import type { NewsResult, SearchData, SearchRequest, WebResult } from './schema.ts'

interface ScrapeResultsRequest {
  request: SearchRequest
  data: SearchData
  zeroDataRetention: boolean
  remaining(): number
  scrape(input: ScrapeRequest, timeoutMs: number): Promise<Document>
}

/** More scrapes would only wait for slots of the team. */
const maxConcurrentScrapes = 10
const reserveMs = 200

export async function scrapeResults(
  options: ScrapeResultsRequest,
): Promise<{ data: SearchData; credits: number }> {
  const runLimited = limitConcurrency(maxConcurrentScrapes)
  const pages = new Map(urlsOf(options.data).map((url) => [url, runLimited(() => scrapeOne(options, url))]))
  // Fields of the result take precedence over those of its page.
  const addPages = <Result extends WebResult | NewsResult>(results: Result[]) =>
    Promise.all(
      results.map(async (result): Promise<Result> => ({ ...(await pages.get(result.url)), ...result })),
    )
  const data: SearchData = { ...options.data }
  if (data.web) data.web = await addPages(data.web)
  if (data.news) data.news = await addPages(data.news)
  const documents = await Promise.all(pages.values())
  return { data, credits: documents.reduce((sum, { metadata }) => sum + (metadata?.creditsUsed ?? 0), 0) }
}

export function urlsOf(data: SearchData): string[] {
  return [...new Set([...(data.web ?? []), ...(data.news ?? [])].map(({ url }) => url))]
}

export function scrapeInput(
  { scrapeOptions, origin, integration }: SearchRequest,
  { url, zeroDataRetention }: { url: string; zeroDataRetention: boolean },
): ScrapeRequest | undefined {
  return scrapeOptions && { ...scrapeOptions, url, zeroDataRetention, origin, integration }
}

type ScrapedPage = Partial<Omit<Document, 'metadata'>> & { metadata?: Partial<Document['metadata']> }

async function scrapeOne(options: ScrapeResultsRequest, url: string): Promise<ScrapedPage> {
  const input = scrapeInput(options.request, { url, zeroDataRetention: options.zeroDataRetention })
  if (!input) return {}
  const timeout = Math.min(input.timeout, options.remaining() - reserveMs)
  if (timeout < 1) return failed(url, 'The search ended before this result could be scraped. Raise timeout.')
  try {
    return await options.scrape({ ...input, timeout }, timeout)
  } catch (thrown) {
    const { code, message, detail } = toAppError(thrown)
    // The first call with this idempotency key is still scraping. The caller gets all pages if it calls again later.
    if (code === 'IDEMPOTENCY_KEY_REUSED' && detail.retryAfter !== undefined) throw thrown
    return failed(url, message, typeof detail.statusCode === 'number' ? detail.statusCode : undefined)
  }
}

const failed = (url: string, error: string, statusCode?: number): ScrapedPage => ({
  metadata: { sourceURL: url, url, error, ...present({ statusCode }) },
})
