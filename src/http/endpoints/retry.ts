import { z } from 'zod'
import type { ParentKind } from '../../app.ts'
import type { Call } from '../endpoint.ts'
import { defineEndpoint, envelope, jobId, ok } from '../endpoint.ts'

const retry = {
  method: 'POST' as const,
  params: jobId,
  response: envelope({
    id: z.string().describe('Id of the batch that scrapes them.'),
    url: z.string().describe('Where its status can be read.'),
    count: z.int().describe('Pages that are tried again.'),
  }),
  errors: [
    'INVALID_JOB_ID' as const,
    'JOB_NOT_FOUND' as const,
    'JOB_NOT_FINISHED' as const,
    'NOTHING_TO_RETRY' as const,
    'CREDITS_EXHAUSTED' as const,
    'IDEMPOTENCY_KEY_REUSED' as const,
  ],
}

type RetryCall = Pick<
  Call<{ id: string }, unknown, unknown>,
  'app' | 'team' | 'params' | 'idempotencyKey' | 'publicUrl'
>

async function answer(kind: ParentKind, { app, team, params, idempotencyKey, publicUrl }: RetryCall) {
  const { id, count, warning } = await app.retryParent(team, { id: params.id, kind }, idempotencyKey)
  const url = `${publicUrl}/v2/batch/scrape/${id}`
  return ok({ id, url, count, ...(warning === undefined ? {} : { warning }) })
}

export const postCrawlRetry = defineEndpoint({
  ...retry,
  path: '/v2/crawl/{id}/retry',
  summary: 'Scrape the pages of a crawl that failed once more, as a batch',
  tag: 'Crawl',
  handle: (call) => answer('crawl', call),
})

export const postBatchScrapeRetry = defineEndpoint({
  ...retry,
  path: '/v2/batch/scrape/{id}/retry',
  summary: 'Scrape the pages of a batch that failed once more, as another batch',
  tag: 'Batch scrape',
  handle: (call) => answer('batch_scrape', call),
})
