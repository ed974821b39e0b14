import { countAffordable } from '../../accounts/billing.ts'
import { taskPrice } from '../../accounts/prices.ts'
import { byRelevance } from '../../extraction/page-parts/url-relevance.ts'
import { createChildRow, type RunningJob } from '../../jobs/job.ts'
import type { Clock } from '../../platform/clock.ts'
import { readUrl } from '../../platform/url.ts'
import { insertJobs, type JobRow } from '../../store/jobs/jobs.ts'
import { countActiveLeaves } from '../../store/jobs/parents.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { type DiscoverDeps, discover } from '../discover/discover.ts'
import type { FoundPage } from '../discover/page-list.ts'
import { type AgentScrapeRequest, pageOptions, type ScrapeRequest, taskOf } from '../scrape/schema.ts'

export interface PageJobRequests {
  pages: { id: string; request: ScrapeRequest }[]
  price: number
  maxActive: number
}

/** Inserts as many pages as the team can pay for. Call it in a transaction that holds the lock of the parent. */
export async function insertPages(
  store: Store,
  transaction: Queryable,
  parent: JobRow,
  { pages, price, maxActive, now }: PageJobRequests & { now: number },
): Promise<void> {
  const freeSlots = maxActive - (await countActiveLeaves(transaction, parent.id))
  const maxPrice = Math.max(0, ...pages.map(({ request }) => getPrice(request, price)))
  const affordable = await countAffordable(store, transaction, { teamId: parent.team_id, price: maxPrice })
  const rows = pages.slice(0, affordable).map(
    ({ id, request }, index): JobRow => ({
      ...createChildRow(parent, now),
      id,
      kind: 'scrape',
      state: index < freeSlots ? 'queued' : 'held',
      takes_slot: 1,
      input: JSON.stringify(request),
      target: request.url,
      credits: getPrice(request, price),
    }),
  )
  await insertJobs(transaction, rows)
}

const getPrice = (request: ScrapeRequest, price: number) =>
  price + (taskOf(request) === undefined ? 0 : taskPrice)

interface PageReadOptions extends Partial<Pick<ScrapeRequest, 'origin' | 'integration'>> {
  prompt?: string | undefined
  systemPrompt?: string | undefined
  scrapeOptions?: Omit<ScrapeRequest, 'url' | 'zeroDataRetention'> | undefined
}

export function pageRequest(
  options: PageReadOptions,
  { url, schema }: { url: string; schema: Record<string, unknown> },
): ScrapeRequest {
  const { systemPrompt, prompt } = options
  const instructions = [systemPrompt, prompt].filter((text) => text !== undefined).join('\n\n')
  return {
    ...createBaseRequest(options, url),
    formats: [{ type: 'json', schema, ...(instructions === '' ? {} : { prompt: instructions }) }],
  }
}

const minTaskTimeoutMs = 240_000

export function withTask(request: ScrapeRequest, task: string): AgentScrapeRequest {
  return { ...request, task, timeout: Math.max(request.timeout, minTaskTimeoutMs) }
}

export function questionRequest(options: PageReadOptions, url: string): ScrapeRequest {
  const formats = [{ type: 'question' as const, question: options.prompt ?? '' }]
  return { ...createBaseRequest(options, url), formats }
}

function createBaseRequest({ scrapeOptions, origin, integration }: PageReadOptions, url: string) {
  const options = scrapeOptions ?? pageOptions.parse({})
  return { ...options, url, zeroDataRetention: false, origin, integration }
}

export type SearchForPages = (
  job: RunningJob<unknown>,
  request: { query: string; limit: number; ms: number },
  signal: AbortSignal,
) => Promise<{
  results: { url: string; title: string; description: string }[]
  credits: number
  warnings: string[]
}>

interface SiteSearchRequest {
  teamId: string
  url: string
  about: string
  sitemap: 'skip' | 'include'
  subdomains: boolean
  external: boolean
  ms: number
}

const maxListed = 5000
const maxRead = 50
const maxDurationMs = 60_000

export async function findUrls(
  deps: DiscoverDeps & { clock: Clock; yieldToForeground(): Promise<void> },
  options: SiteSearchRequest,
  signal: AbortSignal,
): Promise<{ pages: FoundPage[]; notes: string[] }> {
  const { teamId, sitemap, subdomains, external } = options
  const ms = Math.min(options.ms, maxDurationMs)
  const request = {
    ...{ teamId, start: readUrl(options.url), sitemap, sitemapMs: Math.round(ms / 2) },
    scope: { entireDomain: false, subdomains, external, now: deps.clock.now() },
    ...{ limit: maxListed, maxPages: maxRead },
  }
  const combinedSignal = AbortSignal.any([signal, AbortSignal.timeout(ms)])
  const { pages, notes } = await discover(deps, request, combinedSignal)
  signal.throwIfAborted()
  return { pages: await byRelevance(pages, options.about, deps.yieldToForeground), notes }
}
