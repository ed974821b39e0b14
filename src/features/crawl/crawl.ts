import type { Team } from '../../accounts/team.ts'
import type { EndedChild, ParentEnd } from '../../jobs/finish-parent.ts'
import type { BackgroundKind } from '../../jobs/job.ts'
import type { Queue } from '../../jobs/queue.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import {
  type CrawlRow,
  changeCrawl,
  countWaiting,
  type DiscoveredUrl,
  findCrawl,
  findRunningOfTeam,
  insertCrawl,
} from '../../store/frontier.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { countActiveLeaves, countChildren, findFirstFailed } from '../../store/jobs/parents.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import type { Scope, SkipReason } from '../discover/scope.ts'
import type { Deps } from '../needs.ts'
import {
  failedPagesWarning,
  failedWith,
  type PageOfDocuments,
  type ParentDeps,
  type ParentStatus,
  parentFields,
  parentStatus,
} from '../parent-status.ts'
import { registerWebhook } from '../webhooks/outbox.ts'
import { advanceCrawl, maxTries, noCrawlChanges, toCrawlChanges } from './advance.ts'
import { startSkipReason, storedWarnings, summarizeCrawl } from './crawl-summary.ts'
import type { CrawlStartInput } from './job-inputs.ts'
import { type CrawlOptions, createCrawlScope, storedOptions, toPublicOptions } from './options.ts'
import { createFrontierRow } from './page.ts'
import type { CrawlRequest } from './schema.ts'

export interface CrawlDeps extends ParentDeps, Pick<Deps, 'store' | 'clock'> {
  queue: Queue
  startKind: BackgroundKind<CrawlStartInput, object>
}

interface CrawlJobRequest {
  request: CrawlRequest
  options: CrawlOptions
  price: number
  idempotencyKey: string | undefined
}

export async function startCrawl(deps: CrawlDeps, team: Team, params: CrawlJobRequest): Promise<string> {
  const { request } = params
  const now = deps.clock.now()
  const scope = await createCrawlScope(params.options, now)
  const startLeftOut = startSkipReason(scope, params.options)
  const options = startLeftOut === undefined ? params.options : { ...params.options, startLeftOut }
  const start = createStartRow(options, scope)
  const commonFields = parentFields(team, request.origin, now)
  const parent = await deps.queue.submitParent<CrawlStartInput>({
    kind: 'crawl',
    request: { ...commonFields, input: { url: options.url }, target: options.url },
    children: { kind: deps.startKind, requests: [{ ...commonFields, input: {}, target: null }] },
    idempotencyKey: params.idempotencyKey,
    async afterInsert(transaction, row) {
      await insertCrawl(transaction, createCrawlRow(row, team, { ...params, options }))
      await registerWebhook(transaction, row, request.webhook)
      await addStartPage(deps, transaction, row, start)
    },
  })
  return parent.id
}

function createCrawlRow(parent: JobRow, team: Team, { options, price }: CrawlJobRequest) {
  // Twice the number of concurrent pages, so that an idle worker finds queued pages. The frontier stores the rest.
  const maxActive = options.delay === undefined ? (options.maxConcurrency ?? 2 * team.concurrency) : 1
  return {
    job_id: parent.id,
    options: storedOptions.write(options),
    price,
    most_living: maxActive,
    room: options.limit,
    tries: maxTries(options.limit),
    delay: Math.round((options.delay ?? 0) * 1000),
    known: 0,
    rest_reason: null,
    skipped: null,
    notes: storedWarnings.write([]),
  }
}

/** A crawl by sitemaps only scrapes the start if a sitemap lists it, or if no sitemap lists any page. */
function createStartRow(options: CrawlOptions, scope: Scope): DiscoveredUrl | undefined {
  if (options.sitemap === 'only') return undefined
  const row = createFrontierRow(options.url, { options, scope }, 0)
  return row && options.startLeftOut !== undefined ? { ...row, skipReason: undefined } : row
}

async function addStartPage(
  deps: CrawlDeps,
  transaction: Queryable,
  parent: JobRow,
  start: DiscoveredUrl | undefined,
): Promise<void> {
  const changes = { ...noCrawlChanges, found: start ? [start] : [], now: deps.clock.now() }
  await advanceCrawl(deps.store, transaction, { parent, ...changes })
  const isRequired = start !== undefined && start.skipReason === undefined
  if (isRequired && (await countActiveLeaves(transaction, parent.id)) === 0)
    throw new AppError('CREDITS_EXHAUSTED')
}

export async function crawlStatus(deps: CrawlDeps, row: JobRow, page: PageOfDocuments) {
  const { query } = deps.store
  const { warning: _, ...status } = await parentStatus(deps, row, page)
  const crawl = await findCrawl(query, row.id)
  if (!crawl) return status
  const remaining = status.status === 'scraping' ? Math.max(0, crawl.room) : 0
  const warnings = await buildWarnings(deps, crawl, status)
  const total = status.total + (remaining === 0 ? 0 : await countWaiting(query, row.id, remaining))
  return { ...status, total, ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}) }
}

async function buildWarnings(deps: CrawlDeps, crawl: CrawlRow, status: ParentStatus): Promise<string[]> {
  const warnings = storedWarnings.read(crawl.notes)
  if (status.status === 'scraping') return warnings
  const { completed, failed, skipped } = await summarizeCrawl(deps.store, crawl, { hasEnded: true })
  const count = (reason: SkipReason) => skipped[reason] ?? 0
  if (failed > 0) warnings.push(failedPagesWarning(failed))
  const blocked = count('robots.txt')
  if (blocked > 0)
    warnings.push(`${blocked} pages were skipped because robots.txt forbids them; /errors lists them.`)
  if (count('credits') > 0)
    warnings.push(`${count('credits')} pages were skipped because the team's credits were used up.`)
  const [unmatched, excluded] = [count('include paths'), count('exclude paths')]
  if (completed + failed === 0 && unmatched > 0)
    warnings.push(`includePaths matched none of the ${unmatched} addresses that were found.`)
  else if (completed + failed === 0 && excluded > 0)
    warnings.push(`excludePaths matched all of the ${excluded} addresses that were found.`)
  const outside = count('outside the start path')
  if (completed <= 1 && outside > 0) {
    warnings.push(
      `Only pages below the start are crawled, and ${outside} stand beside or above it; crawlEntireDomain: true takes them too.`,
    )
  }
  return warnings
}

export async function activeCrawls(deps: CrawlDeps, team: Team) {
  const rows = await findRunningOfTeam(deps.store.query, team.id, 'crawl')
  return rows.map((row) => {
    const options = storedOptions.read(row.options)
    return {
      id: row.id,
      teamId: row.team_id,
      url: options.url,
      created_at: new Date(row.created_at).toISOString(),
      options: toPublicOptions(options),
    }
  })
}

const harmlessErrorCodes: ErrorCode[] = ['SCRAPE_RACED_REDIRECT_ERROR', 'CRAWL_START_LEFT_OUT']

export function crawlHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      const now = ended[0]?.ending.now ?? parent.created_at
      await advanceCrawl(store, transaction, { parent, ...toCrawlChanges(ended), now })
    },

    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      await advanceCrawl(store, transaction, { parent, ...noCrawlChanges, now })
      if ((await countActiveLeaves(transaction, parent.id)) > 0) return undefined
      const crawl = await findCrawl(transaction, parent.id)
      if (crawl && (await countWaiting(transaction, parent.id, 1)) > 0) {
        const isFull = crawl.room <= 0 || crawl.tries <= 0
        const isLate = now >= parent.deadline_at
        const reason = isFull ? 'limit' : isLate ? 'deadline' : 'credits'
        await changeCrawl(transaction, parent.id, { rest_reason: reason })
      }
      const { completed } = await countChildren(transaction, parent.id)
      const failed =
        completed > 0 ? undefined : await findFirstFailed(transaction, parent.id, harmlessErrorCodes)
      return failed ? failedWith(failed) : { state: 'completed' }
    },

    async ended(transaction: Queryable, parent: JobRow, end: ParentEnd): Promise<void> {
      if (end.state === 'cancelled') await changeCrawl(transaction, parent.id, { rest_reason: 'cancelled' })
      const crawl = await findCrawl(transaction, parent.id)
      if (!crawl) return
      // Headers may contain secrets of the caller, and no page needs them any more.
      const stored = storedOptions.read(crawl.options)
      const scrapeOptions = { ...stored.scrapeOptions, headers: {} }
      const options = storedOptions.write({ ...stored, scrapeOptions })
      await changeCrawl(transaction, parent.id, { options })
    },
  }
}
