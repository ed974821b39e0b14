import { searchPrice } from '../../accounts/prices.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import type { Clock } from '../../platform/clock.ts'
import { startDeadline } from '../../platform/deadline.ts'
import { AppError } from '../../platform/errors.ts'
import { isUrl } from '../../platform/url.ts'
import type { Query } from '../../search/query/query.ts'
import type { SearchThread } from '../../search/thread/search-thread.ts'
import type { SearchResults } from '../../search/thread/serve.ts'
import { mergeResults } from '../../search/web/search-providers.ts'
import { present } from '../present.ts'
import { planSearch } from './plan.ts'
import { querySources, type ResultList, type SourceQueryDeps, type SourceResults } from './query-sources.ts'
import type { ImageResult, NewsResult, SearchData, SearchRequest, WebResult } from './schema.ts'

export interface SearchDeps extends SourceQueryDeps {
  clock: Clock
}

/** What a search found, before anything of it is scraped. */
export interface SearchFindings {
  id: string
  data: SearchData
  creditsUsed: number
  warnings: string[]
}

/** No call waits longer: clients hang up by then. */
const longestSearch = 290_000

/** All the time that a search may take. */
export function searchTime({ timeout }: Pick<SearchRequest, 'timeout'>): number {
  return Math.ceil(Math.min(timeout, longestSearch))
}

/** Whether nothing of the call may be kept. */
export function isPrivate({ enterprise }: Pick<SearchRequest, 'enterprise'>): boolean {
  return enterprise.includes('zdr') || enterprise.includes('anon')
}

/** The most that a search can cost without what it scrapes. */
export function maxSearchPrice(request: SearchRequest): number {
  const lists = new Set(request.sources.map(({ type }) => type)).size
  return searchPrice({ results: lists * request.limit, zeroRetention: request.enterprise.includes('zdr') })
}

/** A query → results of every source that was asked for. */
export async function search(
  deps: SearchDeps,
  job: RunningJob<SearchRequest>,
  signal: AbortSignal,
): Promise<Outcome<SearchFindings>> {
  const request = job.input
  const now = deps.clock.now()
  const plans = planSearch(request, now)
  const deadline = startDeadline(searchTime(request) - job.spentMs, 'SCRAPE_TIMEOUT', signal)
  const asker = { teamId: job.teamId, isPrivate: isPrivate(request), signal: deadline.signal }
  const how = {
    ...{ asker, now, showsPassages: request.highlights, isOwnOnly: request.enterprise.includes('zdr') },
    outsideMs: Math.round(deadline.remaining() * outsideShare(request)),
  }
  const lookUps = await deadline.during('search', () =>
    Promise.all(plans.map((plan) => querySources(deps, { ...how, plan }))),
  )
  throwIfAllFailed(lookUps)
  const lists = joinLists(lookUps, request)
  const [query] = plans.map((plan) => plan.query)
  const data = query
    ? await deadline.during('search', (time) => presentResults(deps.thread, { query, lists, signal: time }))
    : {}
  const results = lists.reduce((sum, list) => sum + list.results.length, 0)
  const credits = searchPrice({ results, zeroRetention: request.enterprise.includes('zdr') })
  const warnings = warningsOf(request, lookUps)
  return { credits, result: { id: job.id, data, creditsUsed: credits, warnings } }
}

/** Results that are scraped need the other half of the time. */
function outsideShare({ scrapeOptions, asyncScraping }: SearchRequest): number {
  return scrapeOptions?.formats.length && !asyncScraping ? 0.5 : 0.9
}

/** Nothing was found because nobody could look: that is not the same as that there is nothing. */
function throwIfAllFailed(lookUps: SourceResults[]): void {
  if (lookUps.some((one) => one.results.length > 0 || one.by.length > 0 || isByIndexAlone(one))) return
  const details = [...new Set(lookUps.flatMap((one) => one.failures))]
  if (lookUps.every(({ isLate }) => isLate))
    throw new AppError('SCRAPE_TIMEOUT', { phase: 'search', details })
  const hint =
    'Try again in a few minutes. The operator names other providers with SEARCH_PROVIDERS, SEARCH_KEYS or SEARCH_URLS; the log of the service says why the own pages cannot be searched, where they cannot.'
  throw new AppError('SEARCH_ENGINE_FAILED', { phase: 'search', details, hint })
}

/** No provider serves this source, so the own index is all there is to search: what it answers is the answer. */
function isByIndexAlone({ by, failures }: SourceResults): boolean {
  return by.length === 0 && failures.length === 0
}

/** One list for each source, however many categories it was asked for. */
function joinLists(lookUps: SourceResults[], { limit, ignoreInvalidURLs }: SearchRequest): ResultList[] {
  const bySource = Map.groupBy(lookUps, ({ plan }) => plan.source)
  return [...bySource].map(([source, ofSource]) => {
    const named = ofSource.map(({ plan: { category }, results }) =>
      results
        .filter(({ url }) => !ignoreInvalidURLs || isUrl(url))
        .map((result) => (category === undefined ? result : { ...result, category })),
    )
    const [only = []] = named
    return { source, results: named.length === 1 ? only : mergeResults(named, limit) }
  })
}

function warningsOf(request: SearchRequest, lookUps: SourceResults[]): string[] {
  const problems = lookUps.flatMap(({ plan }) => plan.query.problems)
  const failures = lookUps.flatMap((one) => one.failures)
  const unmet = lookUps.flatMap((one) => one.unmet)
  const isOwnSearched = lookUps.every(({ areOwnPagesSearched }) => areOwnPagesSearched)
  const silent = lookUps.filter(({ by, failures: all }) => isOwnSearched && by.length === 0 && all.length > 0)
  const isOwnOnly = request.enterprise.includes('zdr')
  const notes = [
    ...problems.map((problem) => `query: ${problem}, so it was searched as a word.`),
    ...failures.map((failure) => `${failure}.`),
    ...silent.map(({ plan }) => `${plan.source}: only the own pages were searched.`),
    ...lookUps
      // What could not be met says already why nothing was found.
      .filter((one) => one.results.length === 0 && one.unmet.length === 0 && isByIndexAlone(one))
      .map((one) => whyEmpty(one, isOwnOnly)),
    ...unmet.map((text) => `${text}.`),
  ]
  if (isOwnOnly)
    notes.push(
      `zdr: only ${isOwnSearched ? 'the own pages and ' : ''}search servers of the operator's own were asked.`,
    )
  if (request.sources.some(({ filter }) => filter !== undefined))
    notes.push('No effect here: sources.filter.')
  if (request.scrapeOptions?.formats.length === 0)
    notes.push('scrapeOptions has no formats, so the results were not scraped.')
  return [...new Set(notes)]
}

/** An empty list of the own index says little about the web: its reader should know that nobody else was asked. */
function whyEmpty({ plan: { source }, documents }: SourceResults, isOwnOnly: boolean): string {
  const unasked = isOwnOnly
    ? "no search server of the operator's own is configured for it (SEARCH_URLS)"
    : 'no provider is configured for it (SEARCH_PROVIDERS)'
  if (documents > 0) return `${source}: only the own pages were searched, because ${unasked}.`
  const missing = source === 'images' ? 'no image on a page' : 'no page'
  return `${source}: ${missing} of this team is in the index yet, and ${unasked}. Scrape or crawl pages first.`
}

type Listed = ResultList['results'][number]

/** Results as callers know them, with the words of the query marked in their texts. */
export async function presentResults(
  thread: Pick<SearchThread, 'ask'>,
  { query, lists, signal }: { query: Query; lists: ResultList[]; signal: AbortSignal },
): Promise<SearchData> {
  const data: SearchData = {}
  for (const { source, results } of lists) {
    if (source === 'images') {
      data.images = results.flatMap(imageOf)
      continue
    }
    const unmarked = results.filter(({ marks }) => marks === undefined)
    const texts = unmarked.map(({ text }) => text)
    const marks = texts.length === 0 ? [] : await marksOf(thread, { query, texts, signal })
    const found = new Map(unmarked.map((result, index) => [result, marks[index]]))
    const marked = results.map((result): Listed => {
      const known = result.marks ?? found.get(result)
      return known && known.length > 0 ? { ...result, marks: known } : result
    })
    if (source === 'news') data.news = marked.map(newsOf)
    else data.web = marked.map(webOf)
  }
  return data
}

/** Marks are a help: results are worth having without them. The search of the index has reported why the thread fails. */
async function marksOf(
  thread: Pick<SearchThread, 'ask'>,
  { query, texts, signal }: { query: Query; texts: string[]; signal: AbortSignal },
): Promise<SearchResults['mark']> {
  try {
    return await thread.ask({ kind: 'mark', query, texts }, signal)
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return []
  }
}

function webOf({ url, title, text, marks, publishedAt, category }: Listed, index: number): WebResult {
  return {
    ...{ title, description: text, url, position: index + 1 },
    ...(marks ? { marks } : {}),
    ...(category === undefined ? {} : { category }),
    ...(publishedAt === undefined ? {} : { date: new Date(publishedAt).toISOString() }),
  }
}

function newsOf({ url, title, text, marks, publishedAt, imageUrl }: Listed, index: number): NewsResult {
  return {
    ...{ title, snippet: text, url, position: index + 1 },
    ...(marks ? { marks } : {}),
    ...(publishedAt === undefined ? {} : { date: new Date(publishedAt).toISOString() }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
  }
}

/** What has no image is none, whatever a provider calls it. */
function imageOf({ url, title, imageUrl, imageWidth, imageHeight }: Listed, index: number): ImageResult[] {
  if (imageUrl === undefined) return []
  return [
    {
      ...{ title, imageUrl, url, position: index + 1 },
      ...present({ imageWidth, imageHeight }),
    },
  ]
}
