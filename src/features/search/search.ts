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

export interface SearchFindings {
  id: string
  data: SearchData
  creditsUsed: number
  warnings: string[]
}

/** Clients disconnect shortly after this time. */
const maxSearchMs = 290_000

export const searchTime = ({ timeout }: Pick<SearchRequest, 'timeout'>) =>
  Math.ceil(Math.min(timeout, maxSearchMs))

export const isPrivate = ({ enterprise }: Pick<SearchRequest, 'enterprise'>) =>
  enterprise.includes('zdr') || enterprise.includes('anon')

export function maxSearchPrice(request: SearchRequest): number {
  const lists = new Set(request.sources.map(({ type }) => type)).size
  return searchPrice({ results: lists * request.limit, zeroRetention: request.enterprise.includes('zdr') })
}

export async function search(
  deps: SearchDeps,
  job: RunningJob<SearchRequest>,
  signal: AbortSignal,
): Promise<Outcome<SearchFindings>> {
  const request = job.input
  const plans = planSearch(request, deps.clock.now())
  const zeroRetention = request.enterprise.includes('zdr')
  const deadline = startDeadline(searchTime(request) - job.spentMs, 'SCRAPE_TIMEOUT', signal)
  const queryOptions = {
    requester: { teamId: job.teamId, isPrivate: isPrivate(request), signal: deadline.signal },
    ...{ showsPassages: request.highlights, isSelfHostedOnly: zeroRetention },
    providerTimeoutMs: Math.round(deadline.remaining() * providerTimeShare(request)),
  }
  const sourceResultLists = await deadline.during('search', () =>
    Promise.all(plans.map((plan) => querySources(deps, { ...queryOptions, plan }))),
  )
  throwIfAllFailed(sourceResultLists)
  const lists = joinLists(sourceResultLists, request)
  const query = plans[0]?.query
  const data = query
    ? await deadline.during('search', (time) => presentResults(deps.thread, { query, lists, signal: time }))
    : {}
  const results = lists.reduce((sum, list) => sum + list.results.length, 0)
  const credits = searchPrice({ results, zeroRetention })
  const warnings = warningsOf(request, sourceResultLists)
  return { credits, result: { id: job.id, data, creditsUsed: credits, warnings } }
}

/** Returns the share of the time that providers may use. Half of it is reserved for scrapes of the results. */
const providerTimeShare = ({ scrapeOptions, asyncScraping }: SearchRequest) =>
  scrapeOptions?.formats.length && !asyncScraping ? 0.5 : 0.9

/** Throws if no source could be searched. A failure must not look like an empty result. */
function throwIfAllFailed(sourceResultLists: SourceResults[]): void {
  if (
    sourceResultLists.some(
      (list) => list.results.length > 0 || list.answeredBy.length > 0 || isIndexOnly(list),
    )
  )
    return
  const details = [...new Set(sourceResultLists.flatMap(({ failures }) => failures))]
  if (sourceResultLists.every(({ isLate }) => isLate))
    throw new AppError('SCRAPE_TIMEOUT', { phase: 'search', details })
  const hint =
    'Try again in a few minutes. The operator names other providers with SEARCH_PROVIDERS, SEARCH_KEYS or SEARCH_URLS; the log of the service says why the own pages cannot be searched, where they cannot.'
  throw new AppError('SEARCH_ENGINE_FAILED', { phase: 'search', details, hint })
}

const isIndexOnly = ({ answeredBy, failures }: SourceResults) =>
  answeredBy.length === 0 && failures.length === 0

function joinLists(
  sourceResultLists: SourceResults[],
  { limit, ignoreInvalidURLs }: SearchRequest,
): ResultList[] {
  const bySource = Map.groupBy(sourceResultLists, ({ plan }) => plan.request.source)
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
  const isIndexSearched = sourceResultLists.every(({ isIndexEnabled }) => isIndexEnabled)
  const failedSources = sourceResultLists.filter(
    ({ answeredBy, failures }) => isIndexSearched && answeredBy.length === 0 && failures.length > 0,
  )
  // Unmet requirements already explain an empty list.
  const emptyLists = sourceResultLists.filter(
    (list) => list.results.length === 0 && list.unmet.length === 0 && isIndexOnly(list),
  )
  const isSelfHostedOnly = request.enterprise.includes('zdr')
  const warnings = [
    ...problems.map((problem) => `query: ${problem}, so it was searched as a word.`),
    ...sourceResultLists.flatMap(({ failures }) => failures.map((failure) => `${failure}.`)),
    ...failedSources.map(({ plan }) => `${plan.request.source}: only the own pages were searched.`),
    ...emptyLists.map((list) => describeEmptyList(list, isSelfHostedOnly)),
    ...sourceResultLists.flatMap(({ unmet }) => unmet.map((text) => `${text}.`)),
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

function describeEmptyList({ plan, documents }: SourceResults, isSelfHostedOnly: boolean): string {
  const { source } = plan.request
  const reason = isSelfHostedOnly
    ? "no search server of the operator's own is configured for it (SEARCH_URLS)"
    : 'no provider is configured for it (SEARCH_PROVIDERS)'
  if (documents > 0) return `${source}: only the own pages were searched, because ${reason}.`
  const missing = source === 'images' ? 'no image on a page' : 'no page'
  return `${source}: ${missing} of this team is in the index yet, and ${reason}. Scrape or crawl pages first.`
}

type ListedResult = ResultList['results'][number]

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
      const resultMarks = marksByResult.get(result)
      return resultMarks && resultMarks.length > 0 ? { ...result, marks: resultMarks } : result
    })
    if (source === 'news') data.news = marked.map(newsOf)
    else data.web = marked.map(webOf)
  }
  return data
}

/** Returns the highlights of the texts; empty after a failure, which the index search has already logged. */
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
    ...present({ marks, category, date: toDate(publishedAt) }),
  }
}

function newsOf({ url, title, text, marks, publishedAt, imageUrl }: ListedResult, index: number): NewsResult {
  return {
    ...{ title, snippet: text, url, position: index + 1 },
    ...present({ marks, date: toDate(publishedAt), imageUrl }),
  }
}

const toDate = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString())

/** Returns an empty list if the image URL is missing, because a provider may list other results as images. */
function imageOf(result: ListedResult, index: number): ImageResult[] {
  const { url, title, imageUrl, imageWidth, imageHeight } = result
  if (imageUrl === undefined) return []
  return [{ title, imageUrl, url, position: index + 1, ...present({ imageWidth, imageHeight }) }]
}
