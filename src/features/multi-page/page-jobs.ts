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
import { allMatch } from '../discover/patterns.ts'
import { createScope } from '../discover/scope.ts'
import { type AgentScrapeRequest, pageOptions, type ScrapeRequest, taskOf } from '../scrape/schema.ts'

export interface PageJobRequests {
  /** Each with the id that its own job will have. */
  pages: { id: string; request: ScrapeRequest }[]
  /** The most that one of them can cost, without a task. */
  price: number
  /** At most this many may be queued or running at once; the others are held. */
  mostLiving: number
}

/** The pages as jobs, as many as the team can pay for. Call it in a transaction that holds the lock of the parent. */
export async function insertPages(
  store: Store,
  transaction: Queryable,
  parent: JobRow,
  { pages, price, mostLiving, now }: PageJobRequests & { now: number },
): Promise<void> {
  const free = mostLiving - (await countActiveLeaves(transaction, parent.id))
  const most = Math.max(0, ...pages.map(({ request }) => priceOf(request, price)))
  const affordable = await countAffordable(store, transaction, { teamId: parent.team_id, price: most })
  const rows = pages.slice(0, affordable).map(
    ({ id, request }, index): JobRow => ({
      ...createChildRow(parent, now),
      id,
      kind: 'scrape',
      state: index < free ? 'queued' : 'held',
      takes_slot: 1,
      input: JSON.stringify(request),
      target: request.url,
      credits: priceOf(request, price),
    }),
  )
  await insertJobs(transaction, rows)
}

const priceOf = (request: ScrapeRequest, price: number) =>
  price + (taskOf(request) === undefined ? 0 : taskPrice)

/** What the caller said of the pages and of what is wanted of them. */
export interface Reading {
  prompt?: string | undefined
  systemPrompt?: string | undefined
  scrapeOptions?: Omit<ScrapeRequest, 'url' | 'zeroDataRetention'> | undefined
  origin?: string | undefined
  integration?: string | null | undefined
}

/** The scrape that reads a page by a schema. */
export function pageRequest(
  reading: Reading,
  { url, schema }: { url: string; schema: Record<string, unknown> },
): ScrapeRequest {
  const { systemPrompt, prompt } = reading
  const words = [systemPrompt, prompt].filter((text) => text !== undefined).join('\n\n')
  return {
    ...baseOf(reading, url),
    formats: [{ type: 'json', schema, ...(words === '' ? {} : { prompt: words }) }],
  }
}

/** An agent may need longer for what it does on a page than the page takes alone. */
const longestTaskMs = 240_000

/** The same page after something was done on it. */
export function withTask(request: ScrapeRequest, task: string): AgentScrapeRequest {
  return { ...request, task, timeout: Math.max(request.timeout, longestTaskMs) }
}

/** The scrape that answers a question from a page. */
export function questionRequest(reading: Reading, url: string): ScrapeRequest {
  return { ...baseOf(reading, url), formats: [{ type: 'question', question: reading.prompt ?? '' }] }
}

function baseOf({ scrapeOptions, origin, integration }: Reading, url: string): ScrapeRequest {
  const options = scrapeOptions ?? pageOptions.parse({})
  return { ...options, url, zeroDataRetention: false, origin, integration }
}

/** A search of the web in the name of a job that is not one itself. */
export type SearchForPages = (
  job: RunningJob<unknown>,
  wanted: { query: string; limit: number; ms: number },
  signal: AbortSignal,
) => Promise<{
  results: { url: string; title: string; description: string }[]
  credits: number
  warnings: string[]
}>

export interface SiteSearchRequest {
  teamId: string
  url: string
  /** What is looked for: its words decide which pages come first. */
  about: string
  sitemap: 'skip' | 'include'
  subdomains: boolean
  external: boolean
  /** The time that it may take. */
  ms: number
}

/** All that is looked at of a site before the most relevant pages are taken. */
const maxListed = 5000
const maxRead = 50
const longestMs = 60_000

/** Pages of a site, the most relevant first. */
export async function findUrls(
  deps: DiscoverDeps & { clock: Clock; giveWay(): Promise<void> },
  order: SiteSearchRequest,
  signal: AbortSignal,
): Promise<{ pages: FoundPage[]; notes: string[] }> {
  const ms = Math.min(order.ms, longestMs)
  const request = {
    teamId: order.teamId,
    start: readUrl(order.url),
    scopeFrom: (home: URL) =>
      createScope(home, {
        ...{ entireDomain: false, subdomains: order.subdomains, external: order.external },
        now: deps.clock.now(),
      }),
    patterns: allMatch,
    sitemap: order.sitemap,
    sitemapMs: Math.round(ms / 2),
    ...{ ignoreQueryParameters: false, ignoreCache: false },
    ...{ limit: maxListed, enough: maxListed, mostPages: maxRead },
  }
  const within = AbortSignal.any([signal, AbortSignal.timeout(ms)])
  const { pages, notes } = await discover(deps, request, within)
  signal.throwIfAborted()
  return { pages: await byRelevance(pages, order.about, deps.giveWay), notes }
}
