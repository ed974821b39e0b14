import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { crawlFields } from '../../features/crawl/schema.ts'
import { callLabels, urlField } from '../../features/scrape/schema.ts'
import { readUrl } from '../../platform/url.ts'
import { toV2Options, v1PageOptions } from './scrape-options.ts'

const { sitemap: _, removeRepeatedContent: __, ...fields } = crawlFields

const schema = z
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

function toV2({
  maxDepth,
  ignoreSitemap,
  allowBackwardLinks,
  scrapeOptions,
  ...rest
}: z.output<typeof schema>) {
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

export const v1CrawlBody = { schema, toV2 }

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
