import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import type { BackgroundKind, Order } from '../jobs/job.ts'
import type { Queue } from '../jobs/queue.ts'
import { bounds } from '../platform/bounds.ts'
import { AppError, type ErrorCode } from '../platform/errors.ts'
import { storedShape } from '../platform/json/stored-shape.ts'
import { findWebhooks } from '../store/deliveries.ts'
import { readError } from '../store/jobs/job-errors.ts'
import type { JobRow } from '../store/jobs/jobs.ts'
import { listChildren } from '../store/jobs/parents.ts'
import { storedJson } from '../store/stored-json.ts'
import type { Deps } from './needs.ts'
import { type Document, type ScrapeRequest, scrapeRequest } from './scrape/schema.ts'

export interface RetryDeps extends Pick<Deps, 'store' | 'clock'> {
  queue: Queue
  scrape: BackgroundKind<ScrapeRequest, Document>
  /** The most that a page with these options can cost. */
  priceOf(request: ScrapeRequest): number
  /** Undefined: it is a batch. */
  rulesOf(parent: JobRow): Promise<RetryRules | undefined>
}

export interface RetryResult {
  id: string
  count: number
  warning: string | undefined
}

/** What a page has left on record: all that it was asked for but the values of its headers. */
const record = storedJson(
  { table: 'jobs', column: 'input' },
  storedShape(
    z.object({
      ...scrapeRequest.shape,
      /** Absent where nothing was kept. */
      url: z.string().optional(),
      headerNames: z.array(z.string()).default([]),
      crawl: z.unknown().optional(),
    }),
  ),
)

const day = 24 * 3600_000
const atOnce = 500

/** The pages of a crawl or a batch that failed → a batch that scrapes them again with the options that they had. */
export async function retryFailed(
  deps: RetryDeps,
  team: Team,
  { parent, idempotencyKey }: { parent: JobRow; idempotencyKey: string | undefined },
): Promise<RetryResult> {
  if (parent.finished_at === null) throw new AppError('JOB_NOT_FINISHED')
  const rules = (await deps.rulesOf(parent)) ?? {
    ...{ notFailed: [], mostLiving: batchInput.read(parent.input).maxConcurrency, warnings: [] },
  }
  const { rows, isCut } = await failedPages(deps, parent, rules.notFailed)
  if (rows.length === 0) throw new AppError('NOTHING_TO_RETRY')
  const { orders, headers } = await ordersFor(deps, team, { parent, rows })
  if (orders.length === 0) throw new AppError('NOTHING_TO_RETRY', {}, { message: nothingKept })
  const [webhook] = await findWebhooks(deps.store.query, [parent.id])
  const batch = await deps.queue.submitParent<ScrapeRequest>({
    kind: 'batch_scrape',
    order: {
      ...common(deps, team, parent),
      input: { urls: orders.length, retryOf: parent.id },
      target: orders[0]?.target ?? null,
    },
    children: { kind: deps.scrape, orders },
    idempotencyKey,
    mostLiving: rules.mostLiving ?? 4 * team.concurrency,
  })
  const lost = rows.length - orders.length
  const warnings = [
    ...(headers.length > 0
      ? [`Values of headers are not kept, so these were not sent: ${headers.join(', ')}.`]
      : []),
    ...(webhook ? ['The webhook of the original is not called.'] : []),
    ...rules.warnings,
    ...(lost > 0 ? [`The options of ${lost} pages were not kept; they are left out.`] : []),
    ...(isCut
      ? [`Only the first ${bounds.MAX_BATCH_URLS.most} pages are tried again (MAX_BATCH_URLS).`]
      : []),
  ]
  return {
    id: batch.id,
    count: orders.length,
    warning: warnings.length > 0 ? warnings.join(' ') : undefined,
  }
}

const nothingKept = 'Of none of the pages that failed the options were kept, so they cannot be tried again.'

/** What a job says of its retry. */
interface RetryRules {
  /** Codes of pages that are no failures, or that would fail again by the rules of the crawl. */
  notFailed: readonly ErrorCode[]
  mostLiving: number | undefined
  warnings: string[]
}

const batchInput = storedJson(
  { table: 'jobs', column: 'input' },
  z.object({ maxConcurrency: z.number().optional() }),
)

async function failedPages(
  { store }: RetryDeps,
  parent: JobRow,
  notFailed: readonly ErrorCode[],
): Promise<{ rows: JobRow[]; isCut: boolean }> {
  const { most } = bounds.MAX_BATCH_URLS
  const rows: JobRow[] = []
  // Some at a time: everything else gets its turn in between.
  for (let skip = 0; rows.length <= most; skip += atOnce) {
    const which = { parentId: parent.id, state: 'failed' as const, skip, limit: atOnce }
    const part = await listChildren(store.query, which)
    rows.push(...part.filter(({ error }) => !notFailed.some((code) => code === readError(error)?.code)))
    if (part.length < atOnce) break
    await nextTurn()
  }
  return { rows: rows.slice(0, most), isCut: rows.length > most }
}

async function ordersFor(
  deps: RetryDeps,
  team: Team,
  { parent, rows }: { parent: JobRow; rows: JobRow[] },
): Promise<{ orders: Order<ScrapeRequest>[]; headers: string[] }> {
  const headers = new Set<string>()
  const orders: Order<ScrapeRequest>[] = []
  const sibling = await optionsOfSibling(deps, parent)
  for (const [index, row] of rows.entries()) {
    if (index % atOnce === atOnce - 1) await nextTurn()
    const own = record.read(row.input)
    const { crawl: _, headerNames, ...kept } = own.url === undefined && sibling ? sibling : own
    const url = own.url ?? row.target
    // One that never ran to its end has left nothing; the pages of a job have the same options.
    if (kept.url === undefined || url === null) continue
    for (const name of headerNames) headers.add(name)
    const input: ScrapeRequest = { ...kept, url, headers: {}, zeroDataRetention: false }
    orders.push({ ...common(deps, team, parent), input, target: url, price: deps.priceOf(input) })
  }
  return { orders, headers: [...headers].sort() }
}

async function optionsOfSibling({ store }: RetryDeps, parent: JobRow) {
  for (const state of ['completed', 'failed'] as const) {
    const which = { parentId: parent.id, state, skip: 0, limit: 20 }
    for (const { input } of await listChildren(store.query, which)) {
      const kept = record.read(input)
      if (kept.url !== undefined) return kept
    }
  }
  return undefined
}

function common({ clock }: RetryDeps, team: Team, { origin }: JobRow) {
  const deadlineAt = clock.now() + 2 * day
  return { team, origin: origin ?? undefined, retain: true, deadlineAt, price: 0 }
}
