import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import type { Clock } from '../base/clock.ts'
import { AppError, type StoredError } from '../base/errors.ts'
import { isUrl } from '../base/url.ts'
import type { JobKind } from '../jobs/job.ts'
import type { Queue } from '../jobs/queue.ts'
import { countChildren, type JobRow, listChildren } from '../store/jobs.ts'
import type { Store } from '../store/schema.ts'
import {
  callLabels,
  checkTogether,
  type Document,
  type ScrapeRequest,
  scrapeOptions,
} from './scrape/schema.ts'

export const batchScrapeRequest = z
  .strictObject({
    urls: z.array(z.string().max(8192)).min(1).max(10_000).describe('URLs to scrape.'),
    ignoreInvalidURLs: z
      .boolean()
      .default(true)
      .describe('Leave invalid URLs out instead of refusing the call.'),
    ...scrapeOptions,
    ...callLabels,
  })
  .superRefine(checkTogether)

export type BatchScrapeRequest = z.output<typeof batchScrapeRequest>

export interface BatchNeeds {
  queue: Queue
  store: Store
  clock: Clock
  scrape: JobKind<ScrapeRequest, Document>
  retentionHours: number
}

const day = 24 * 3600_000

/** Many URLs → child scrape jobs of one parent, acknowledged together. */
export async function startBatchScrape(
  needs: BatchNeeds,
  team: Team,
  order: { request: BatchScrapeRequest; idempotencyKey: string | undefined; price: number },
): Promise<{ id: string; invalidURLs: string[] }> {
  const { urls, ignoreInvalidURLs, ...options } = order.request
  const invalidURLs = urls.filter((url) => !isUrl(url))
  const valid = urls.filter(isUrl)
  if (valid.length === 0) throw new AppError('NO_VALID_URLS', { invalidURLs })
  if (invalidURLs.length > 0 && !ignoreInvalidURLs) {
    const message = 'Some URLs are not valid. Remove them, or send ignoreInvalidURLs: true to leave them out.'
    throw new AppError('BAD_URL', { invalidURLs }, { message })
  }
  const deadlineAt = needs.clock.now() + 2 * day
  const common = { team, origin: options.origin, retain: true, deadlineAt, price: 0 }
  const parent = await needs.queue.submitFamily<ScrapeRequest>({
    kind: 'batch_scrape',
    order: { ...common, input: { urls: valid.length }, target: valid[0] ?? null },
    children: {
      kind: needs.scrape,
      orders: valid.map((url) => ({
        ...common,
        input: { ...options, url, zeroDataRetention: false },
        target: url,
        price: order.price,
      })),
    },
    idempotencyKey: order.idempotencyKey,
  })
  return { id: parent.id, invalidURLs }
}

export interface BatchStatus {
  status: 'scraping' | 'completed' | 'failed' | 'cancelled'
  total: number
  completed: number
  creditsUsed: number
  expiresAt: string
  createdAt: string
  completedAt?: string
  documents: unknown[]
  /** Where the next page of documents starts; undefined when there is nothing more to read now. */
  nextSkip: number | undefined
}

const largestPage = 10 * 1024 * 1024

export async function batchScrapeStatus(
  needs: BatchNeeds,
  row: JobRow,
  page: { skip: number; limit: number },
): Promise<BatchStatus> {
  const count = await countChildren(needs.store.query, row.id)
  const documents = await readPage(needs, row.id, page)
  const hasMore = page.skip + documents.length < count.completed || row.state === 'running'
  return {
    status: row.state === 'queued' || row.state === 'running' ? 'scraping' : row.state,
    total: count.queued + count.running + count.completed,
    completed: count.completed,
    creditsUsed: count.credits,
    expiresAt: new Date(row.created_at + needs.retentionHours * 3600_000).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    ...(row.finished_at === null ? {} : { completedAt: new Date(row.finished_at).toISOString() }),
    documents,
    // A client follows `next` without a pause: a page that held nothing must not offer another.
    nextSkip: documents.length > 0 && hasMore ? page.skip + documents.length : undefined,
  }
}

async function readPage(needs: BatchNeeds, parentId: string, page: { skip: number; limit: number }) {
  const rows = await listChildren(needs.store.query, { parentId, state: 'completed', ...page })
  const documents: unknown[] = []
  let size = 0
  for (const row of rows) {
    size += row.result?.length ?? largestPage / 4
    if (documents.length > 0 && size > largestPage) break
    documents.push(await needs.queue.resultOf(row))
  }
  return documents
}

export async function batchScrapeErrors(needs: BatchNeeds, row: JobRow) {
  const failed = await listChildren(needs.store.query, {
    parentId: row.id,
    state: 'failed',
    skip: 0,
    limit: 10_000,
  })
  return failed.map((child) => {
    // Written by endJob, which every failed job went through.
    const error = JSON.parse(child.error ?? '{}') as Partial<StoredError>
    return {
      id: child.id,
      timestamp: new Date(child.finished_at ?? child.created_at).toISOString(),
      url: child.target ?? '',
      code: error.code ?? 'INTERNAL',
      error: error.error ?? '',
    }
  })
}
