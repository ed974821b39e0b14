import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { callLabels } from '../../features/scrape/schema.ts'
import {
  deleteBatchScrape,
  getBatchScrape,
  getBatchScrapeErrors,
  postBatchScrape,
} from '../endpoints/batch-scrape.ts'
import { toV1Status, v1JobStatus } from './jobs.ts'
import { toV2Options, v1ScrapeOptions } from './scrape-options.ts'
import { createV1Endpoint } from './translation.ts'

const { urls, appendToId, maxConcurrency, webhook, zeroDataRetention } = batchScrapeRequest.shape

const request = z
  .strictObject({
    ...{ urls, appendToId, maxConcurrency, webhook, zeroDataRetention },
    ignoreInvalidURLs: z
      .boolean()
      .default(false)
      .describe('Skip invalid URLs instead of rejecting the call.'),
    ...v1ScrapeOptions,
    ...callLabels,
  })
  .meta({ id: 'V1BatchScrapeRequest' })

export const postBatchScrapeV1 = createV1Endpoint({
  endpoints: [postBatchScrape],
  body: { schema: request, toV2: toV2Options },
})

export const getBatchScrapeV1 = createV1Endpoint({
  endpoints: [getBatchScrape],
  response: v1JobStatus,
  toV1: toV1Status,
})

export const deleteBatchScrapeV1 = createV1Endpoint({ endpoints: [deleteBatchScrape] })

export const getBatchScrapeErrorsV1 = createV1Endpoint({
  endpoints: [getBatchScrapeErrors],
})

// The published JavaScript client reads the errors with DELETE.
export const deleteBatchScrapeErrorsV1 = createV1Endpoint({
  endpoints: [getBatchScrapeErrors],
  method: 'DELETE',
})
