import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import type { BackgroundKind, JobRequest } from '../jobs/job.ts'
import type { Queue } from '../jobs/queue.ts'
import { bounds } from '../platform/bounds.ts'
import { AppError, type ErrorCode } from '../platform/errors.ts'
import { storedShape } from '../platform/json/stored-shape.ts'
import { findWebhooks } from '../store/deliveries.ts'
import { readError } from '../store/jobs/job-errors.ts'
import type { JobRow } from '../store/jobs/jobs.ts'
import { listChildren } from '../store/jobs/parents.ts'
import type { Store } from '../store/schema.ts'
import { storedJson } from '../store/stored-json.ts'
import type { Deps } from './needs.ts'
import { parentFields, readFailedPages } from './parent-status.ts'
import { type Document, type ScrapeRequest, scrapeRequest } from './scrape/schema.ts'

interface RetryDeps extends Pick<Deps, 'store' | 'clock'> {
  queue: Queue
  scrape: BackgroundKind<ScrapeRequest, Document>
  priceOf(request: ScrapeRequest): number
  crawlRetryRules(store: Store, parent: JobRow): Promise<RetryRules | undefined>
}

const inputColumn = { table: 'jobs', column: 'input' } as const

/** Stored input of a page: all options without the values of the headers. */
const storedInput = storedJson(
  inputColumn,
  storedShape(
    z.object({
      ...scrapeRequest.shape,
      url: z.string().optional(),
      headerNames: z.array(z.string()).default([]),
      crawl: z.unknown().optional(),
    }),
  ),
)

const rowsPerTurn = 500

export async function retryFailed(
  deps: RetryDeps,
  team: Team,
  { parent, idempotencyKey }: { parent: JobRow; idempotencyKey: string | undefined },
) {
  if (parent.finished_at === null) throw new AppError('JOB_NOT_FINISHED')
  const rules = (await deps.crawlRetryRules(deps.store, parent)) ?? {
    ...{ notFailed: [], maxActive: batchInput.read(parent.input).maxConcurrency, warnings: [] },
  }
  const { rows, isCut } = await failedPages(deps, parent, rules.notFailed)
  if (rows.length === 0) throw new AppError('NOTHING_TO_RETRY')
  const common = parentFields(team, parent.origin ?? undefined, deps.clock.now())
  const { requests: jobRequests, headers } = await buildJobRequests(deps, common, { parent, rows })
  if (jobRequests.length === 0) throw new AppError('NOTHING_TO_RETRY', {}, { message: noOptionsMessage })
  const [webhook] = await findWebhooks(deps.store.query, [parent.id])
  const input = { urls: jobRequests.length, retryOf: parent.id }
  const target = jobRequests[0]?.target ?? null
  const batch = await deps.queue.submitParent<ScrapeRequest>({
    kind: 'batch_scrape',
    request: { ...common, input, target },
    children: { kind: deps.scrape, requests: jobRequests },
    idempotencyKey,
    maxActive: rules.maxActive ?? 4 * team.concurrency,
  })
  const missingCount = rows.length - jobRequests.length
  const warnings: string[] = []
  if (headers.length > 0)
    warnings.push(`Values of headers are not kept, so these were not sent: ${headers.join(', ')}.`)
  if (webhook) warnings.push('The webhook of the original is not called.')
  warnings.push(...rules.warnings)
  if (missingCount > 0)
    warnings.push(`The options of ${missingCount} pages were not kept; they are left out.`)
  if (isCut)
    warnings.push(`Only the first ${bounds.MAX_BATCH_URLS.most} pages are tried again (MAX_BATCH_URLS).`)
  const warning = warnings.length > 0 ? warnings.join(' ') : undefined
  return { id: batch.id, count: jobRequests.length, warning }
}

const noOptionsMessage =
  'Of none of the pages that failed the options were kept, so they cannot be tried again.'

const batchInput = storedJson(inputColumn, z.object({ maxConcurrency: z.number().optional() }))

interface RetryRules {
  /** Error codes of pages that are not tried again. */
  notFailed: readonly ErrorCode[]
  maxActive: number | undefined
  warnings: string[]
}

async function failedPages({ store }: RetryDeps, parent: JobRow, notFailed: readonly ErrorCode[]) {
  const { most: maxUrls } = bounds.MAX_BATCH_URLS
  const rows: JobRow[] = []
  for await (const failed of readFailedPages(store, parent.id)) {
    rows.push(...failed.filter(({ error }) => !notFailed.some((code) => code === readError(error)?.code)))
    if (rows.length > maxUrls) break
  }
  return { rows: rows.slice(0, maxUrls), isCut: rows.length > maxUrls }
}

async function buildJobRequests(
  deps: RetryDeps,
  common: ReturnType<typeof parentFields>,
  { parent, rows }: { parent: JobRow; rows: JobRow[] },
): Promise<{ requests: JobRequest<ScrapeRequest>[]; headers: string[] }> {
  const headers = new Set<string>()
  const jobRequests: JobRequest<ScrapeRequest>[] = []
  const sibling = await findSiblingOptions(deps, parent)
  for (const [index, row] of rows.entries()) {
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn()
    const ownInput = storedInput.read(row.input)
    // A page that was cancelled or interrupted has no stored options, so those of a sibling are used.
    const { crawl: _, headerNames, ...options } = ownInput.url === undefined && sibling ? sibling : ownInput
    const url = ownInput.url ?? row.target
    if (options.url === undefined || url === null) continue
    for (const name of headerNames) headers.add(name)
    const input: ScrapeRequest = { ...options, url, headers: {}, zeroDataRetention: false }
    jobRequests.push({ ...common, input, target: url, price: deps.priceOf(input) })
  }
  return { requests: jobRequests, headers: [...headers].sort() }
}

async function findSiblingOptions({ store }: RetryDeps, parent: JobRow) {
  for (const state of ['completed', 'failed'] as const) {
    const query = { parentId: parent.id, state, skip: 0, limit: 20 }
    for (const { input } of await listChildren(store.query, query)) {
      const options = storedInput.read(input)
      if (options.url !== undefined) return options
    }
  }
  return undefined
}
