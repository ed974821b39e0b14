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

/** Results of a search before they are scraped. */
export interface SearchFindings {
  id: string
  data: SearchData
  creditsUsed: number
  warnings: string[]
}

/** Maximum duration of a search in milliseconds. Clients disconnect shortly after it. */
const maxSearchMs = 290_000

/** Returns the time limit of a search in milliseconds. */
export function searchTime({ timeout }: Pick<SearchRequest, 'timeout'>): number {
  return Math.ceil(Math.min(timeout, maxSearchMs))
}

/** Returns true if no data of the call may be stored. */
export function isPrivate({ enterprise }: Pick<SearchRequest, 'enterprise'>): boolean {
  return enterprise.includes('zdr') || enterprise.includes('anon')
}

/** Returns the maximum price of a search without the scrapes of its results. */
export function maxSearchPrice(request: SearchRequest): number {
  const lists = new Set(request.sources.map(({ type }) => type)).size
  return searchPrice({ results: lists * request.limit, zeroRetention: request.enterprise.includes('zdr') })
}

/** Searches every requested source and returns the merged results. */
export async function search(
  deps: SearchDeps,
  job: RunningJob<SearchRequest>,
  signal: AbortSignal,
): Promise<Outcome<SearchFindings>> {
  const request = job.input
  const now = deps.clock.now()
  const plans = planSearch(request, now)
  const deadline = startDeadline(searchTime(request) - job.spentMs, 'SCRAPE_TIMEOUT', signal)
  const requester = { teamId: job.teamId, isPrivate: isPrivate(request), signal: deadline.signal }
  const queryOptions = {
    ...{
      requester,
      now,
      showsPassages: request.highlights,
      isSelfHostedOnly: request.enterprise.includes('zdr'),
    },
    providerTimeoutMs: Math.round(deadline.remaining() * providerTimeShare(request)),
  }
  const sourceResultLists = await deadline.during('search', () =>
    Promise.all(plans.map((plan) => querySources(deps, { ...queryOptions, plan }))),
  )
  throwIfAllFailed(sourceResultLists)
  const lists = joinLists(sourceResultLists, request)
  const [query] = plans.map((plan) => plan.query)
  const data = query
    ? await deadline.during('search', (time) => presentResults(deps.thread, { query, lists, signal: time }))
    : {}
  const results = lists.reduce((sum, list) => sum + list.results.length, 0)
  const credits = searchPrice({ results, zeroRetention: request.enterprise.includes('zdr') })
  const warnings = warningsOf(request, sourceResultLists)
  return { credits, result: { id: job.id, data, creditsUsed: credits, warnings } }
}

/**
 * Returns the share of the time that providers may use. If results are scraped, the other half of the time is reserved
 * for that.
 */
function providerTimeShare({ scrapeOptions, asyncScraping }: SearchRequest): number {
  return scrapeOptions?.formats.length && !asyncScraping ? 0.5 : 0.9
}

/** Throws if no source could be searched. A failure must not look like an empty result. */
function throwIfAllFailed(sourceResultLists: SourceResults[]): void {
  if (
    sourceResultLists.some(
      (sourceResults) =>
        sourceResults.results.length > 0 || sourceResults.by.length > 0 || isIndexOnly(sourceResults),
    )
  )
    return
  const details = [...new Set(sourceResultLists.flatMap((sourceResults) => sourceResults.failures))]
  if (sourceResultLists.every(({ isLate }) => isLate))
    throw new AppError('SCRAPE_TIMEOUT', { phase: 'search', details })
  const hint =
    'Try again in a few minutes. The operator names other providers with SEARCH_PROVIDERS, SEARCH_KEYS or SEARCH_URLS; the log of the service says why the own pages cannot be searched, where they cannot.'
  throw new AppError('SEARCH_ENGINE_FAILED', { phase: 'search', details, hint })
}

/** Returns true if no provider serves this source. The result of the local index is then the final result. */
function isIndexOnly({ by, failures }: SourceResults): boolean {
  return by.length === 0 && failures.length === 0
}

/** Merges the results into one list for each source, across all requested categories. */
function joinLists(
  sourceResultLists: SourceResults[],
  { limit, ignoreInvalidURLs }: SearchRequest,
): ResultList[] {
  const bySource = Map.groupBy(sourceResultLists, ({ plan }) => plan.source)
  return [...bySource].map(([source, resultsOfSource]) => {
    const categorized = resultsOfSource.map(({ plan: { category }, results }) =>
      results
        .filter(({ url }) => !ignoreInvalidURLs || isUrl(url))
        .map((result) => (category === undefined ? result : { ...result, category })),
    )
    const [firstList = []] = categorized
    return { source, results: categorized.length === 1 ? firstList : mergeResults(categorized, limit) }
  })
}

function warningsOf(request: SearchRequest, sourceResultLists: SourceResults[]): string[] {
  const problems = sourceResultLists.flatMap(({ plan }) => plan.query.problems)
  const failures = sourceResultLists.flatMap((sourceResults) => sourceResults.failures)
  const unmet = sourceResultLists.flatMap((sourceResults) => sourceResults.unmet)
  const isIndexSearched = sourceResultLists.every(({ isIndexEnabled }) => isIndexEnabled)
  const failedSources = sourceResultLists.filter(
    ({ by, failures: failuresOfSource }) => isIndexSearched && by.length === 0 && failuresOfSource.length > 0,
  )
  const isSelfHostedOnly = request.enterprise.includes('zdr')
  const warnings = [
    ...problems.map((problem) => `query: ${problem}, so it was searched as a word.`),
    ...failures.map((failure) => `${failure}.`),
    ...failedSources.map(({ plan }) => `${plan.source}: only the own pages were searched.`),
    ...sourceResultLists
      // Unmet requirements already explain an empty list.
      .filter(
        (sourceResults) =>
          sourceResults.results.length === 0 &&
          sourceResults.unmet.length === 0 &&
          isIndexOnly(sourceResults),
      )
      .map((sourceResults) => describeEmptyList(sourceResults, isSelfHostedOnly)),
    ...unmet.map((text) => `${text}.`),
  ]
  if (isSelfHostedOnly)
    warnings.push(
      `zdr: only ${isIndexSearched ? 'the own pages and ' : ''}search servers of the operator's own were asked.`,
    )
  if (request.sources.some(({ filter }) => filter !== undefined))
    warnings.push('No effect here: sources.filter.')
  if (request.scrapeOptions?.formats.length === 0)
    warnings.push('scrapeOptions has no formats, so the results were not scraped.')
  return [...new Set(warnings)]
}

/** Explains an empty list, so that the caller sees that only the local index was searched. */
function describeEmptyList(
  { plan: { source }, documents }: SourceResults,
  isSelfHostedOnly: boolean,
): string {
  const reason = isSelfHostedOnly
    ? "no search server of the operator's own is configured for it (SEARCH_URLS)"
    : 'no provider is configured for it (SEARCH_PROVIDERS)'
  if (documents > 0) return `${source}: only the own pages were searched, because ${reason}.`
  const missing = source === 'images' ? 'no image on a page' : 'no page'
  return `${source}: ${missing} of this team is in the index yet, and ${reason}. Scrape or crawl pages first.`
}

type ListedResult = ResultList['results'][number]

/** Builds the result lists of the response, with highlights of the query words. */
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
    const marksByResult = new Map(unmarked.map((result, index) => [result, marks[index]]))
    const marked = results.map((result): ListedResult => {
      const resultMarks = result.marks ?? marksByResult.get(result)
      return resultMarks && resultMarks.length > 0 ? { ...result, marks: resultMarks } : result
    })
    if (source === 'news') data.news = marked.map(newsOf)
    else data.web = marked.map(webOf)
  }
  return data
}

/**
 * Returns the highlights of the texts; empty after a failure, because results are useful without highlights. The index
 * search has already logged the error.
 */
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

function webOf({ url, title, text, marks, publishedAt, category }: ListedResult, index: number): WebResult {
  return {
    ...{ title, description: text, url, position: index + 1 },
    ...(marks ? { marks } : {}),
    ...(category === undefined ? {} : { category }),
    ...(publishedAt === undefined ? {} : { date: new Date(publishedAt).toISOString() }),
  }
}

function newsOf({ url, title, text, marks, publishedAt, imageUrl }: ListedResult, index: number): NewsResult {
  return {
    ...{ title, snippet: text, url, position: index + 1 },
    ...(marks ? { marks } : {}),
    ...(publishedAt === undefined ? {} : { date: new Date(publishedAt).toISOString() }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
  }
}

/**
 * Returns the image as a list; empty if the image URL is missing, because a provider may list other results as images.
 */
function imageOf(
  { url, title, imageUrl, imageWidth, imageHeight }: ListedResult,
  index: number,
): ImageResult[] {
  if (imageUrl === undefined) return []
  return [
    {
      ...{ title, imageUrl, url, position: index + 1 },
      ...present({ imageWidth, imageHeight }),
    },
  ]
}
