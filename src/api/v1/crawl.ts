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
import { statusInV1, v1JobStatus } from './jobs.ts'
import { optionsInV2, v1PageOptions } from './scrape-options.ts'
import { type Translation, translated } from './translation.ts'

const { sitemap: _, removeRepeatedContent: __, ...fields } = crawlFields

const request = z
  .strictObject({
    url: urlField.describe('Where the crawl starts.'),
    ...fields,
    maxDepth: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe('Parts that the path of a page may have beyond those of the start.'),
    ignoreSitemap: z.boolean().optional().describe('Do not read sitemaps. Default: false.'),
    allowBackwardLinks: z.boolean().optional().describe('The older name of crawlEntireDomain.'),
    scrapeOptions: v1PageOptions.prefault({}).describe('How each page is scraped.'),
    webhook: batchScrapeRequest.shape.webhook,
    zeroDataRetention: z.boolean().default(false).describe('Not available for crawls.'),
    ...callLabels,
  })
  .meta({ id: 'V1CrawlRequest' })

type V1CrawlRequest = z.output<typeof request>

function crawlInV2(given: V1CrawlRequest): object {
  const { maxDepth, ignoreSitemap, allowBackwardLinks, scrapeOptions, ...rest } = given
  const { crawlEntireDomain = allowBackwardLinks, excludePaths = [] } = rest
  const tooDeep = maxDepth === undefined ? [] : [deeperThan(maxDepth, rest.url, rest.regexOnFullURL ?? false)]
  return {
    ...rest,
    crawlEntireDomain,
    excludePaths: [...excludePaths, ...tooDeep],
    sitemap: ignoreSitemap ? 'skip' : 'include',
    scrapeOptions: optionsInV2(scrapeOptions),
  }
}

export const postCrawlV1 = translated({
  by: [postCrawl],
  body: { schema: request, toV2: crawlInV2 },
})

// Published clients ask for the status of a batch by the path of a crawl, too.
export const getCrawlV1 = translated({
  by: [getCrawl, getBatchScrape],
  response: v1JobStatus,
  toV1: statusInV1,
})

export const deleteCrawlV1 = translated({ by: [deleteCrawl, deleteBatchScrape] })

const errors: Translation<z.ZodType, { errors: object[]; robotsBlocked: string[] }> = {
  by: [getCrawlErrors, getBatchScrapeErrors],
  response: getBatchScrapeErrors.response,
  toV1: ({ errors, robotsBlocked }) => ({ success: true, errors, robotsBlocked }),
}

export const getCrawlErrorsV1 = translated(errors)

// The published client for JavaScript reads the errors with this method.
export const deleteCrawlErrorsV1 = translated({ ...errors, method: 'DELETE' })

export const getActiveCrawlsV1 = translated({ by: [getActiveCrawls] })

export const getOngoingCrawlsV1 = translated({ by: [getOngoingCrawls] })

/**
 * The pages that `maxDepth` leaves out, as a pattern. It counts parts of the path below those of the start, not steps from page to
 * page as `maxDiscoveryDepth` does.
 */
export function deeperThan(maxDepth: number, start: string, seesWholeUrl: boolean): string {
  const parts = readUrl(start)
    .pathname.split('/')
    .filter((part) => part !== '').length
  const most = parts + maxDepth
  return seesWholeUrl ? `^[a-z]+://[^/?#]+/+(?:[^/?#]+/+){${most}}[^/?#]` : `^/+(?:[^/]+/+){${most}}[^/]`
}
