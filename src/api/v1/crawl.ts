import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { crawlFields } from '../../features/crawl/schema.ts'
import { callLabels, urlField } from '../../features/scrape/schema.ts'
import { readUrl } from '../../platform/url.ts'
import { deleteBatchScrape, getBatchScrape, getBatchScrapeErrors } from '../endpoints/batch-scrape.ts'
import {
  deleteCrawl,
  getActiveCrawls,
  getCrawl,
  getCrawlErrors,
  getOngoingCrawls,
  postCrawl,
} from '../endpoints/crawl.ts'
import { toV1Status, v1JobStatus } from './jobs.ts'
import { toV2Options, v1PageOptions } from './scrape-options.ts'
import { createV1Endpoint, type Translation } from './translation.ts'

const { sitemap: _, removeRepeatedContent: __, ...fields } = crawlFields

const request = z
  .strictObject({
    url: urlField.describe('Start URL of the crawl.'),
    ...fields,
    maxDepth: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe('Parts that the path of a page may have beyond those of the start.'),
    ignoreSitemap: z.boolean().optional().describe('Do not read sitemaps. Default: false.'),
    allowBackwardLinks: z.boolean().optional().describe('The older name of crawlEntireDomain.'),
    scrapeOptions: v1PageOptions.prefault({}).describe('Scrape options of each page.'),
    webhook: batchScrapeRequest.shape.webhook,
    zeroDataRetention: z.boolean().default(false).describe('Not available for crawls.'),
    ...callLabels,
  })
  .meta({ id: 'V1CrawlRequest' })

type V1CrawlRequest = z.output<typeof request>

function toV2Crawl(body: V1CrawlRequest): object {
  const { maxDepth, ignoreSitemap, allowBackwardLinks, scrapeOptions, ...rest } = body
  const { crawlEntireDomain = allowBackwardLinks, excludePaths = [] } = rest
  const depthPatterns =
    maxDepth === undefined ? [] : [deeperThan(maxDepth, rest.url, rest.regexOnFullURL ?? false)]
  return {
    ...rest,
    crawlEntireDomain,
    excludePaths: [...excludePaths, ...depthPatterns],
    sitemap: ignoreSitemap ? 'skip' : 'include',
    scrapeOptions: toV2Options(scrapeOptions),
  }
}

export const postCrawlV1 = createV1Endpoint({
  endpoints: [postCrawl],
  body: { schema: request, toV2: toV2Crawl },
})

// Published clients also request the status of a batch under the path of a crawl.
export const getCrawlV1 = createV1Endpoint({
  endpoints: [getCrawl, getBatchScrape],
  response: v1JobStatus,
  toV1: toV1Status,
})

export const deleteCrawlV1 = createV1Endpoint({ endpoints: [deleteCrawl, deleteBatchScrape] })

const errors: Translation<z.ZodType, { errors: object[]; robotsBlocked: string[] }> = {
  endpoints: [getCrawlErrors, getBatchScrapeErrors],
  response: getBatchScrapeErrors.response,
  toV1: ({ errors, robotsBlocked }) => ({ success: true, errors, robotsBlocked }),
}

export const getCrawlErrorsV1 = createV1Endpoint(errors)

// The published JavaScript client reads the errors with DELETE.
export const deleteCrawlErrorsV1 = createV1Endpoint({ ...errors, method: 'DELETE' })

export const getActiveCrawlsV1 = createV1Endpoint({ endpoints: [getActiveCrawls] })

export const getOngoingCrawlsV1 = createV1Endpoint({ endpoints: [getOngoingCrawls] })

/** `maxDepth` counts path segments below those of the start URL, not links like `maxDiscoveryDepth`. */
export function deeperThan(maxDepth: number, start: string, matchesFullUrl: boolean): string {
  const startDepth = readUrl(start)
    .pathname.split('/')
    .filter((part) => part !== '').length
  const maxSegments = startDepth + maxDepth
  return matchesFullUrl
    ? `^[a-z]+://[^/?#]+/+(?:[^/?#]+/+){${maxSegments}}[^/?#]`
    : `^/+(?:[^/]+/+){${maxSegments}}[^/]`
}
