import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { extractRequest } from '../../features/extract/schema.ts'
import { mapRequest } from '../../features/map.ts'
import { callLabels, urlField } from '../../features/scrape/schema.ts'
import { searchRequest } from '../../features/search/schema.ts'
import { AppError } from '../../platform/errors.ts'
import { type Endpoint, envelope } from '../endpoint.ts'
import * as v2 from '../endpoints/all.ts'
import { v1CrawlBody } from './crawl.ts'
import { toV1Document, v1Document } from './document.ts'
import { toV1Status, v1JobStatus } from './jobs.ts'
import { toV2Options, v1NamedFormats, v1ScrapeOptions } from './scrape-options.ts'
import { createV1Endpoint, type Translation } from './translation.ts'

const ignoreInvalidURLs = z
  .boolean()
  .default(false)
  .describe('Skip invalid URLs instead of rejecting the call.')

const scrapeBody = z
  .strictObject({
    url: urlField.describe('URL to scrape. The default scheme is http.'),
    ...v1ScrapeOptions,
    zeroDataRetention: z.boolean().default(false).describe('Keep nothing of this call.'),
    ...callLabels,
  })
  .meta({ id: 'V1ScrapeRequest' })

const { urls, appendToId, maxConcurrency, webhook, zeroDataRetention } = batchScrapeRequest.shape

const batchScrapeBody = z
  .strictObject({
    ...{ urls, appendToId, maxConcurrency, webhook, zeroDataRetention, ignoreInvalidURLs },
    ...v1ScrapeOptions,
    ...callLabels,
  })
  .meta({ id: 'V1BatchScrapeRequest' })

const crawlErrors: Translation<z.ZodType, { errors: object[]; robotsBlocked: string[] }> = {
  endpoints: [v2.getCrawlErrors, v2.getBatchScrapeErrors],
  response: v2.getBatchScrapeErrors.response,
  toV1: ({ errors, robotsBlocked }) => ({ success: true, errors, robotsBlocked }),
}

const { ignoreInvalidURLs: _, scrapeOptions: __, ...extractFields } = extractRequest.shape

const extractBody = z
  .strictObject({
    ...extractFields,
    ignoreInvalidURLs,
    // The extract itself determines the values to read from a page.
    scrapeOptions: v1NamedFormats.optional().describe('Scrape options of each page.'),
  })
  .meta({ id: 'V1ExtractRequest' })

const { sitemap: ___, ignoreCache: ____, ...mapFields } = mapRequest.shape

const mapBody = z
  .strictObject({
    ...mapFields,
    ignoreSitemap: z.boolean().default(false).describe('Do not read sitemaps.'),
    sitemapOnly: z.boolean().default(false).describe('Read nothing but sitemaps.'),
  })
  .meta({ id: 'V1MapRequest' })

function toV2Map({ ignoreSitemap, sitemapOnly, ...rest }: z.output<typeof mapBody>): object {
  if (ignoreSitemap && sitemapOnly) {
    const message = 'ignoreSitemap and sitemapOnly exclude each other. Remove one of the two.'
    throw new AppError('BAD_REQUEST', {}, { message })
  }
  return { ...rest, sitemap: ignoreSitemap ? 'skip' : sitemapOnly ? 'only' : 'include' }
}

const { query, tbs, country, location, lang, timeout, origin, integration } = searchRequest.shape

const searchBody = z
  .strictObject({
    ...{ query, tbs, country, location, lang, timeout },
    ignoreInvalidURLs: searchRequest.shape.ignoreInvalidURLs,
    ...{ origin, integration },
    limit: z.int().min(1).max(100).default(5).describe('Maximum number of results.'),
    scrapeOptions: v1NamedFormats
      .optional()
      .describe('Scrape options of each result; without formats, results are not scraped.'),
  })
  .meta({ id: 'V1SearchRequest' })

const searchResult = v1Document
  .partial()
  .extend({ url: z.string(), title: z.string(), description: z.string() })
  .catchall(z.unknown())
  .meta({ id: 'V1SearchResult' })

function createUsageEndpoint(endpoint: Endpoint, unit: 'Credits' | 'Tokens'): Endpoint {
  const suffix = unit.toLowerCase()
  return createV1Endpoint({
    endpoints: [endpoint],
    response: envelope({
      data: z.object({
        [`remaining_${suffix}`]: z.int(),
        [`plan_${suffix}`]: z.int(),
        billing_period_start: z.string().nullable(),
        billing_period_end: z.string().nullable(),
      }),
    }),
    toV1: ({ data }: { data: Record<string, unknown> }) => ({
      success: true,
      data: {
        [`remaining_${suffix}`]: data[`remaining${unit}`],
        [`plan_${suffix}`]: data[`plan${unit}`],
        billing_period_start: data.billingPeriodStart,
        billing_period_end: data.billingPeriodEnd,
      },
    }),
  })
}

const unchangedEndpoints = [
  ...[v2.deleteBatchScrape, v2.getBatchScrapeErrors, v2.getActiveCrawls, v2.getOngoingCrawls],
  ...[v2.getExtract, v2.deleteExtract, v2.getCreditHistory, v2.getTokenHistory, v2.getQueueStatus],
  ...[v2.getActivity, v2.getConcurrencyCheck],
]

export const v1Endpoints: Endpoint[] = [
  ...unchangedEndpoints.map((endpoint) => createV1Endpoint({ endpoints: [endpoint] })),
  createV1Endpoint({
    endpoints: [v2.postScrape],
    body: { schema: scrapeBody, toV2: toV2Options },
    response: envelope({ data: v1Document }),
    toV1: (v2Response: { data: unknown }, { body }) => ({
      ...v2Response,
      data: toV1Document(v2Response.data, body.formats),
    }),
  }),
  createV1Endpoint({
    endpoints: [v2.getScrape],
    response: envelope({ data: v1Document }),
    toV1: (v2Response: { data: unknown }) => ({ ...v2Response, data: toV1Document(v2Response.data, []) }),
  }),
  createV1Endpoint({
    endpoints: [v2.postBatchScrape],
    body: { schema: batchScrapeBody, toV2: toV2Options },
  }),
  createV1Endpoint({ endpoints: [v2.getBatchScrape], response: v1JobStatus, toV1: toV1Status }),
  // The published JavaScript client reads the errors with DELETE.
  createV1Endpoint({ endpoints: [v2.getBatchScrapeErrors], method: 'DELETE' }),
  createV1Endpoint({ ...crawlErrors, method: 'DELETE' }),
  createV1Endpoint(crawlErrors),
  createV1Endpoint({ endpoints: [v2.postCrawl], body: v1CrawlBody }),
  // Published clients also request the status of a batch under the path of a crawl.
  createV1Endpoint({
    endpoints: [v2.getCrawl, v2.getBatchScrape],
    response: v1JobStatus,
    toV1: toV1Status,
  }),
  createV1Endpoint({ endpoints: [v2.deleteCrawl, v2.deleteBatchScrape] }),
  createV1Endpoint({
    endpoints: [v2.postExtract],
    body: {
      schema: extractBody,
      toV2: ({ scrapeOptions, schema, ...rest }) => ({
        ...rest,
        // The published Python client sends null.
        schema: schema ?? undefined,
        ...(scrapeOptions ? { scrapeOptions: toV2Options(scrapeOptions) } : {}),
      }),
    },
  }),
  createV1Endpoint({
    endpoints: [v2.postMap],
    body: { schema: mapBody, toV2: toV2Map },
    response: envelope({
      id: z.string().describe('Id of this job.'),
      links: z.array(z.string()).describe('The addresses of the pages.'),
    }),
    toV1: ({ id, links, warning }: { id: string; links: { url: string }[]; warning?: string }) => ({
      ...{ success: true, id, links: links.map(({ url }) => url) },
      ...(warning === undefined ? {} : { warning }),
    }),
  }),
  createV1Endpoint({
    endpoints: [v2.postSearch],
    body: {
      schema: searchBody,
      toV2: ({ scrapeOptions, ...rest }) => ({
        ...rest,
        ...(scrapeOptions ? { scrapeOptions: toV2Options(scrapeOptions) } : {}),
      }),
    },
    response: envelope({ id: z.string(), creditsUsed: z.int(), data: z.array(searchResult) }),
    toV1: ({ data, ...envelopeFields }: { data: { web?: unknown[] } }, { body }) => ({
      ...envelopeFields,
      data: (data.web ?? []).map((page) => toV1Document(page, body.scrapeOptions?.formats ?? [])),
    }),
  }),
  createUsageEndpoint(v2.getCreditUsage, 'Credits'),
  createUsageEndpoint(v2.getTokenUsage, 'Tokens'),
]
