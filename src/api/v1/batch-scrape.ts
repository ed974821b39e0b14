import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { callLabels } from '../../features/scrape/schema.ts'
import {
  deleteBatchScrape,
  getBatchScrape,
  getBatchScrapeErrors,
  postBatchScrape,
} from '../endpoints/batch-scrape.ts'
import { statusInV1, v1JobStatus } from './jobs.ts'
import { optionsInV2, v1ScrapeOptions } from './scrape-options.ts'
import { translated } from './translation.ts'

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

export const postBatchScrapeV1 = translated({
  by: [postBatchScrape],
  body: { schema: request, toV2: optionsInV2 },
})

export const getBatchScrapeV1 = translated({
  by: [getBatchScrape],
  response: v1JobStatus,
  toV1: statusInV1,
})

export const deleteBatchScrapeV1 = translated({ by: [deleteBatchScrape] })

export const getBatchScrapeErrorsV1 = translated({
  by: [getBatchScrapeErrors],
})

// The published JavaScript client reads the errors with DELETE.
export const deleteBatchScrapeErrorsV1 = translated({
  by: [getBatchScrapeErrors],
  method: 'DELETE',
})
