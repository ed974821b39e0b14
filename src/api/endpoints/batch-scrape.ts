import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { defineEndpoint, envelope, jobId, ok, startErrors } from '../endpoint.ts'
import { errorList, parentJobEndpoints } from './parent-job.ts'

export const postBatchScrape = defineEndpoint({
  method: 'POST',
  path: '/v2/batch/scrape',
  summary: 'Scrape many URLs in the background',
  tag: 'Batch scrape',
  body: batchScrapeRequest,
  response: envelope({
    id: z.string().describe('Id of the batch.'),
    url: z.string().describe('URL of the status.'),
    invalidURLs: z.array(z.string()).optional().describe('URLs that were skipped.'),
  }),
  errors: ['NO_VALID_URLS', ...startErrors, 'INVALID_JOB_ID', 'JOB_NOT_FOUND', 'JOB_ALREADY_ENDED'],
  async handle({ app, team, body, idempotencyKey, publicUrl }) {
    const { id, invalidURLs } = await app.startBatchScrape(team, body, idempotencyKey)
    const url = `${publicUrl}/v2/batch/scrape/${id}`
    return ok({ id, url, ...(body.ignoreInvalidURLs ? { invalidURLs } : {}) })
  },
})

export const {
  status: getBatchScrape,
  cancel: deleteBatchScrape,
  events: getBatchScrapeEvents,
  download: getBatchScrapeDownload,
  retry: postBatchScrapeRetry,
} = parentJobEndpoints({
  ...{ kind: 'batch_scrape', path: '/v2/batch/scrape', tag: 'Batch scrape', noun: 'batch' },
})

export const getBatchScrapeErrors = defineEndpoint({
  method: 'GET',
  path: '/v2/batch/scrape/{id}/errors',
  summary: 'List the URLs of a batch that failed, with reasons',
  tag: 'Batch scrape',
  params: jobId,
  response: envelope({ errors: errorList, robotsBlocked: z.array(z.string()) }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND'],
  handle: async ({ app, team, params }) =>
    ok({ errors: await app.batchScrapeErrors(team, params.id), robotsBlocked: [] }),
})
