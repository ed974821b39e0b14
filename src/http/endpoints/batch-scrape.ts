import { z } from 'zod'
import { batchScrapeRequest } from '../../features/batch-scrape.ts'
import { document } from '../../features/scrape/schema.ts'
import { defineEndpoint, envelope, jobId, ok } from '../endpoint.ts'

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
    'SCRAPE_ACTIONS_NOT_SUPPORTED',
    'OPTION_NOT_AVAILABLE',
    'CREDITS_EXHAUSTED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  async handle({ app, team, body, idempotencyKey, publicUrl }) {
    const { id, invalidURLs } = await app.startBatchScrape(team, body, idempotencyKey)
    const url = `${publicUrl}/v2/batch/scrape/${id}`
    return ok({ id, url, ...(body.ignoreInvalidURLs ? { invalidURLs } : {}) })
  },
})

const page = z.object({
  skip: z.coerce.number().int().min(0).max(1e9).default(0).describe('Documents to leave out at the start.'),
  limit: z.coerce.number().int().min(1).max(100).default(100).describe('Most documents in one answer.'),
})

export const getBatchScrape = defineEndpoint({
  method: 'GET',
  path: '/v2/batch/scrape/{id}',
  summary: 'Read the progress and the documents of a batch',
  tag: 'Batch scrape',
  params: jobId,
  query: page,
  response: envelope({
    status: z.enum(['scraping', 'completed', 'failed', 'cancelled']),
    total: z.int().describe('URLs that have not failed.'),
    completed: z.int(),
    creditsUsed: z.int(),
    expiresAt: z.string(),
    createdAt: z.string(),
    completedAt: z.string().optional(),
    next: z.string().optional().describe('Where the next documents are; absent when there are none now.'),
    data: z.array(document),
  }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND'],
  async handle({ app, team, params, query, publicUrl }) {
    const { documents, nextSkip, ...status } = await app.batchScrapeStatus(team, params.id, query)
    const next = `${publicUrl}/v2/batch/scrape/${params.id}?skip=${nextSkip}&limit=${query.limit}`
    return ok({
      ...status,
      ...(nextSkip === undefined ? {} : { next }),
      // What was stored is what the scrape answered, and that was checked when it was made.
      data: documents as z.input<typeof document>[],
    })
  },
})

export const deleteBatchScrape = defineEndpoint({
  method: 'DELETE',
  path: '/v2/batch/scrape/{id}',
  summary: 'Cancel a batch; what it has scraped stays readable',
  tag: 'Batch scrape',
  params: jobId,
  response: envelope({ status: z.literal('cancelled') }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND', 'JOB_ALREADY_ENDED'],
  async handle({ app, team, params }) {
    await app.cancelBatchScrape(team, params.id)
    return ok({ status: 'cancelled' as const })
  },
})

export const getBatchScrapeErrors = defineEndpoint({
  method: 'GET',
  path: '/v2/batch/scrape/{id}/errors',
  summary: 'Read which URLs of a batch failed, and why',
  tag: 'Batch scrape',
  params: jobId,
  response: envelope({
    errors: z.array(
      z.object({
        id: z.string(),
        timestamp: z.string(),
        url: z.string(),
        code: z.string(),
        error: z.string(),
      }),
    ),
    robotsBlocked: z.array(z.string()),
  }),
  errors: ['INVALID_JOB_ID', 'FORBIDDEN', 'JOB_NOT_FOUND'],
  async handle({ app, team, params }) {
    return ok({ errors: await app.batchScrapeErrors(team, params.id), robotsBlocked: [] })
  },
})
