import type { Log } from '../../platform/log.ts'
import type { Permits } from '../../platform/permits.ts'
import type { FoundDocument } from '../../search/index/search-index.ts'
import type { PageSearchResult, SearchPages } from '../../search/page-search.ts'
import type { ProviderRequest, ProviderResult } from '../../search/providers/provider.ts'
import type {
  ConfiguredProvider,
  ProviderCaller,
  ProviderRequester,
} from '../../search/providers/provider-caller.ts'
import { writeQuery } from '../../search/query/write-query.ts'
import type { SearchThread } from '../../search/thread/search-thread.ts'
import type { ChosenProviders } from '../../search/web/choose-providers.ts'
import {
  mergeResults,
  queryAll,
  queryFirstResponding,
  type WebResponse,
} from '../../search/web/search-providers.ts'
import { present } from '../present.ts'
import type { SearchPlan } from './plan.ts'

export interface SourceQueryDeps {
  thread: Pick<SearchThread, 'ask'>
  searchPages: SearchPages
  providerCaller: ProviderCaller
  providers: ChosenProviders
  /** Limits concurrent searches of the local index, shared by all teams. */
  indexPermits: Permits
  log: Log
}

/** Result of a provider or of the local index. */
interface FoundResult extends ProviderResult {
  /** Ranges of query words in the text; undefined if the text has not been searched for them. */
  marks?: [start: number, end: number][]
}

/** Results of one source or category. */
export interface SourceResults {
  plan: SearchPlan
  results: FoundResult[]
  /** Names of the providers that responded, in addition to the local index. */
  by: string[]
  /** Failed providers with their reasons. */
  failures: string[]
  unmet: string[]
  /** True if the time limit ended before a provider responded. */
  isLate: boolean
  /** Number of documents in the local index. */
  documents: number
  /** False if the local index is disabled. */
  isIndexEnabled: boolean
}

/** Results of one source, from all providers and the local index. */
export interface ResultList {
  source: SearchPlan['source']
  results: (FoundResult & Pick<Partial<SearchPlan>, 'category'>)[]
}

export interface SourceQuery {
  plan: SearchPlan
  requester: ProviderRequester
  now: number
  /** True if the description of an indexed page is the matching passage. */
  showsPassages: boolean
  /** Time limit of providers in milliseconds. Results that are available by then are returned. */
  providerTimeoutMs: number
  /** True if only services without data retention may be queried: the local index, and servers of the operator. */
  isSelfHostedOnly: boolean
}

/** Queries the local index and the providers concurrently. */
export async function querySources(deps: SourceQueryDeps, query: SourceQuery): Promise<SourceResults> {
  const { plan } = query
  const [local, web] = await Promise.all([searchIndexedPages(deps, query), searchProviders(deps, query)])
  // If there are web results, indexed pages with too few of the query words are omitted. Otherwise they are the best
  // matches.
  const hasNoWebResults = web.results.length === 0
  const matching = local.found.filter(({ coverage }) => hasNoWebResults || coverage >= minCoverage)
  const results = matching.map((document) => resultOf(document, query.showsPassages))
  const unmet = [...web.unmet]
  if (!plan.isCountryAssumed && results.length > 0)
    unmet.push('own pages are not limited by country or location')
  if (local.lacksMeaning && results.length > 0)
    unmet.push('own pages were ranked by their words alone, because the sentence model did not answer')
  if (local.withoutVector > 0 && results.length > 0)
    unmet.push(
      `${local.withoutVector} own pages were ranked by their words alone until their vectors are made`,
    )
  if (local.unindexed > 0)
    unmet.push(`${local.unindexed} own pages are being indexed again and cannot be found yet`)
  if (local.exclusion !== undefined) unmet.push(local.exclusion)
  if (local.unknown !== undefined) unmet.push(`related:${local.unknown} is not among the own pages`)
  return {
    plan,
    results: sortByTime(mergeResults<FoundResult>([results, web.results], plan.limit, keyFor(plan)), plan),
    ...{ by: web.by, isLate: web.isLate, documents: local.documents, unmet },
    isIndexEnabled: local.exclusion === undefined,
    failures: local.hasFailed ? [...web.failures, 'the own pages could not be searched'] : web.failures,
  }
}

const minCoverage = 0.75

/**
 * Returns the function for the merge key of images, because two images may be on the same page; undefined for other
 * sources.
 */
function keyFor({ source }: SearchPlan): ((result: FoundResult) => string) | undefined {
  return source === 'images' ? ({ imageUrl, url }) => imageUrl ?? url : undefined
}

type IndexSearchResult = PageSearchResult & { hasFailed?: true }

async function searchIndexedPages(
  { searchPages, indexPermits, log }: SourceQueryDeps,
  { plan, requester, now }: SourceQuery,
): Promise<IndexSearchResult> {
  const { source, narrowed: query, range, limit } = plan
  const kind = source === 'images' ? ('image' as const) : ('page' as const)
  const criteria = { teamId: requester.teamId, kind, query, range, isNews: source === 'news', limit }
  try {
    return await indexPermits.run({ team: requester.teamId }, requester.signal, () =>
      searchPages(criteria, { now, signal: requester.signal }),
    )
  } catch (cause) {
    if (requester.signal.aborted) throw cause
    // The web search can still succeed.
    log.error({ cause }, 'the search index could not be searched')
    return { found: [], documents: 0, withoutVector: 0, unindexed: 0, hasFailed: true }
  }
}

type ProviderSearchResult = WebResponse & { isLate: boolean }

/** Queries the provider groups in order until one responds or the time limit is reached. */
async function searchProviders(deps: SourceQueryDeps, query: SourceQuery): Promise<ProviderSearchResult> {
  const { requester, providerTimeoutMs } = query
  const timeout = AbortSignal.timeout(providerTimeoutMs)
  const failures: string[] = []
  try {
    const signal = AbortSignal.any([requester.signal, timeout])
    const response = await queryInOrder(
      deps.providerCaller,
      stepsOf(deps, query),
      { ...requester, signal },
      failures,
    )
    return { ...response, isLate: false }
  } catch (thrown) {
    if (requester.signal.aborted || !timeout.aborted) throw thrown
    failures.push(`the providers did not answer within ${providerTimeoutMs} ms`)
    return { results: [], by: [], failures, unmet: [], isLate: true }
  }
}

interface Step {
  group: ConfiguredProvider[]
  request: ProviderRequest
}

/**
 * Returns the query steps: first the providers of the category, then web providers, limited to the sites or file types
 * of the category.
 */
function stepsOf({ providers }: SourceQueryDeps, query: SourceQuery): Step[] {
  const { plan, isSelfHostedOnly } = query
  const { category } = plan
  const request = requestOf(query)
  const categoryGroups = category === undefined ? [] : providers.groupsFor(category)
  const steps = [
    ...categoryGroups.map((group) => ({
      group,
      request: { ...request, query: plan.query, ...(category && { category }) },
    })),
    ...providers.groupsFor(plan.source).map((group) => ({ group, request })),
  ]
  if (!isSelfHostedOnly) return steps
  const isSelfHosted = ({ provider }: ConfiguredProvider) => provider.requires === 'address'
  return steps
    .map((step) => ({ ...step, group: step.group.filter(isSelfHosted) }))
    .filter(({ group }) => group.length > 0)
}

async function queryInOrder(
  caller: ProviderCaller,
  steps: Step[],
  requester: ProviderRequester,
  failures: string[],
): Promise<WebResponse> {
  for (const { group, request: providerRequest } of steps) {
    const capable = group.filter(
      ({ provider }) => writeQuery(providerRequest.query, provider.abilities.dialect).text !== '',
    )
    if (capable.length === 0) {
      failures.push(...group.map(({ provider }) => `${provider.name} cannot search for this without words`))
      continue
    }
    const response = await (capable.length > 1 ? queryAll : queryFirstResponding)(
      caller,
      capable,
      providerRequest,
      requester,
    )
    failures.push(...response.failures)
    if (response.by.length > 0) return { ...response, failures }
  }
  return { results: [], by: [], failures, unmet: [] }
}

function requestOf({ plan, now }: SourceQuery): ProviderRequest {
  const {
    source,
    narrowed: query,
    range,
    country,
    isCountryAssumed,
    location,
    language,
    isSafe,
    limit,
  } = plan
  return {
    ...{ source, query, range, limit, now, isCountryAssumed },
    ...present({ country, location, language, isSafe }),
  }
}

function resultOf(document: FoundDocument, showsPassages: boolean): FoundResult {
  const { url, title, passage, beginning, publishedAt, image } = document
  const description = showsPassages && passage ? passage : { text: beginning, marks: undefined }
  return {
    ...{ url, title, text: description.text },
    ...(description.marks ? { marks: description.marks } : {}),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(image ? { imageUrl: image.url } : {}),
    ...(image?.width === undefined ? {} : { imageWidth: image.width }),
    ...(image?.height === undefined ? {} : { imageHeight: image.height }),
  }
}

/** Sorts merged results by time if the newest results come first. */
function sortByTime(results: FoundResult[], { range }: SearchPlan): FoundResult[] {
  if (!range.isNewestFirst) return results
  return results.toSorted((first, second) => (second.publishedAt ?? 0) - (first.publishedAt ?? 0))
}
