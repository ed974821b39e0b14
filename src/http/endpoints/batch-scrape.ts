import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { defineEndpoint, envelope, jobId, ok } from '../endpoint.ts'
import { errorList, pageQuery, parentStatus, shownStatus } from './parent-job.ts'

export const postBatchScrape = defineEndpoint({
  method: 'POST',
  path: '/v2/batch/scrape',
  summary: 'Scrape many URLs in the background',
  tag: 'Batch scrape',
  body: batchScrapeRequest,
  response: envelope({
    id: z.string().describe('Id of the batch.'),
    url: z.string().describe('Where its status can be read.'),
    invalidURLs: z.array(z.string()).optional().describe('URLs that were left out.'),
  }),
  errors: [
    'NO_VALID_URLS',
    'BAD_URL',
    'TARGET_FORBIDDEN',
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
    'OPTION_NOT_AVAILABLE',
    'CREDITS_EXHAUSTED',
    'IDEMPOTENCY_KEY_REUSED',
    'INVALID_JOB_ID',
    'JOB_NOT_FOUND',
    'JOB_ALREADY_ENDED',
  ],
  async handle({ app, team, body, idempotencyKey, publicUrl }) {
    const { id, invalidURLs } = await app.startBatchScrape(team, body, idempotencyKey)
    const url = `${publicUrl}/v2/batch/scrape/${id}`
    return ok({ id, url, ...(body.ignoreInvalidURLs ? { invalidURLs } : {}) })
  },
})

export const getBatchScrape = defineEndpoint({
  method: 'GET',
  path: '/v2/batch/scrape/{id}',
  summary: 'Read the progress and the documents of a batch',
  tag: 'Batch scrape',
  params: jobId,
  query: pageQuery,
  response: parentStatus,
  errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND'],
  async handle({ app, team, params, query, publicUrl }) {
    const status = await app.parentStatus(team, { id: params.id, kind: 'batch_scrape' }, query)
    return ok(shownStatus(status, `${publicUrl}/v2/batch/scrape/${params.id}`, query.limit))
  },
})

export const deleteBatchScrape = defineEndpoint({
  method: 'DELETE',
  path: '/v2/batch/scrape/{id}',
  summary: 'Cancel a batch; what it has scraped stays readable',
  tag: 'Batch scrape',
  params: jobId,
  response: envelope({ status: z.literal('cancelled') }),
  errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND', 'JOB_ALREADY_ENDED'],
  async handle({ app, team, params }) {
    await app.cancelParent(team, { id: params.id, kind: 'batch_scrape' })
    return ok({ status: 'cancelled' as const })
  },
})

export const getBatchScrapeErrors = defineEndpoint({
  method: 'GET',
  path: '/v2/batch/scrape/{id}/errors',
  summary: 'Read which URLs of a batch failed, and why',
  tag: 'Batch scrape',
  params: jobId,
  response: envelope({ errors: errorList, robotsBlocked: z.array(z.string()) }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND'],
  async handle({ app, team, params }) {
    return ok({ errors: await app.batchScrapeErrors(team, params.id), robotsBlocked: [] })
  },
})
