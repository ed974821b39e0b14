import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import type { BackgroundKind } from '../jobs/job.ts'
import type { Queue } from '../jobs/queue.ts'
import { boundedList, boundedText } from '../platform/bounded.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { createTimeSlice } from '../platform/time-slice.ts'
import { isUrl } from '../platform/url.ts'
import { assertValidUrls, parentFields } from './parent-status.ts'
import {
  callLabels,
  checkCombination,
  type Document,
  flag,
  maxConcurrency,
  type ScrapeRequest,
  scrapeOptions,
  withScrapeOptions,
} from './scrape/schema.ts'
import { registerWebhook } from './webhooks/outbox.ts'
import { webhookField } from './webhooks/schema.ts'

export const batchScrapeRequest = z
  .strictObject({
    urls: boundedList(boundedText('MAX_URL_LENGTH'), 'MAX_BATCH_URLS').min(1).describe('URLs to scrape.'),
    ignoreInvalidURLs: flag(true, 'Skip invalid URLs instead of rejecting the call.'),
    appendToId: boundedText('MAX_ID_LENGTH')
      .optional()
      .describe('Id of a running or completed batch of the team, to which the URLs are added.'),
    maxConcurrency,
    webhook: webhookField,
    zeroDataRetention: flag(false, 'Not available for batches, because their results are stored.'),
    ...scrapeOptions,
    ...callLabels,
  })
  .superRefine(checkCombination)
  .meta({ id: 'BatchScrapeRequest', ...withScrapeOptions })

export type BatchScrapeRequest = z.output<typeof batchScrapeRequest>

export async function startBatchScrape(
  deps: { queue: Queue; clock: Clock; scrape: BackgroundKind<ScrapeRequest, Document> },
  team: Team,
  params: { request: BatchScrapeRequest; idempotencyKey: string | undefined; price: number },
): Promise<{ id: string; invalidURLs: string[] }> {
  const { urls, ignoreInvalidURLs, appendToId, maxConcurrency, webhook, ...options } = params.request
  const { valid, invalidURLs } = await splitByValidity(urls)
  assertValidUrls({ ignoreInvalidURLs }, { valid, invalidURLs })
  const common = parentFields(team, options.origin, deps.clock.now())
  const requests = valid.map((url) => ({
    ...{ ...common, target: url, price: params.price },
    input: { ...options, url, zeroDataRetention: false },
  }))
  const children = { kind: deps.scrape, requests }
  // Pages beyond this number are held, so that a long batch does not delay the other jobs of its team.
  const maxActive = maxConcurrency ?? 4 * team.concurrency
  if (appendToId !== undefined) {
    if (webhook)
      throw new AppError('OPTION_NOT_AVAILABLE', { option: 'webhook' }, { message: webhookOnAppendMessage })
    const parent = await deps.queue.findOwn(team, appendToId, 'batch_scrape')
    const { idempotencyKey } = params
    await deps.queue.submitMore<ScrapeRequest>(parent, { children, maxActive, idempotencyKey })
    return { id: parent.id, invalidURLs }
  }
  const input = { urls: valid.length, ...(maxConcurrency === undefined ? {} : { maxConcurrency }) }
  const parent = await deps.queue.submitParent<ScrapeRequest>({
    kind: 'batch_scrape',
    request: { ...common, input, target: valid[0] ?? null },
    children,
    idempotencyKey: params.idempotencyKey,
    maxActive,
    afterInsert: (transaction, row) => registerWebhook(transaction, row, webhook),
  })
  return { id: parent.id, invalidURLs }
}

/** Yields to the event loop, because a batch may contain thousands of URLs. */
async function splitByValidity(urls: string[]): Promise<{ valid: string[]; invalidURLs: string[] }> {
  const timeSlice = createTimeSlice()
  const [valid, invalidURLs]: [string[], string[]] = [[], []]
  for (const url of urls) {
    if (timeSlice.isDue()) await timeSlice.take()
    ;(isUrl(url) ? valid : invalidURLs).push(url)
  }
  return { valid, invalidURLs }
}

const webhookOnAppendMessage =
  'URLs added to a batch use the webhook of that batch. Remove webhook, or start another batch.'
