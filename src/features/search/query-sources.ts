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
import { mergeResults, queryAll, queryProvider, type WebResponse } from '../../search/web/search-providers.ts'
import { present } from '../present.ts'
import type { SearchPlan } from './plan.ts'

export interface SourceQueryDeps {
  thread: Pick<SearchThread, 'ask'>
  searchPages: SearchPages
  providerCaller: ProviderCaller
  providers: ChosenProviders
  indexPermits: Permits
  log: Log
}

interface FoundResult extends ProviderResult {
  /** Ranges of query words in the text; undefined if the text has not been searched for them. */
  marks?: [start: number, end: number][]
}

export interface SourceResults extends ProviderSearchResult {
  plan: SearchPlan
  results: FoundResult[]
  documents: number
  isIndexEnabled: boolean
}

export interface ResultList {
  source: ProviderRequest['source']
  results: (FoundResult & Pick<Partial<SearchPlan>, 'category'>)[]
}

interface SourceQuery {
  plan: SearchPlan
  requester: ProviderRequester
  showsPassages: boolean
  providerTimeoutMs: number
  /** True if only services without data retention may be queried: the local index, and servers of the operator. */
  isSelfHostedOnly: boolean
}

export async function querySources(deps: SourceQueryDeps, query: SourceQuery): Promise<SourceResults> {
  const { plan } = query
  const { request } = plan
  const [local, web] = await Promise.all([searchIndexedPages(deps, query), searchProviders(deps, query)])
  // Without web results, indexed pages with few of the query words are the best matches.
  const matching = local.found.filter(({ coverage }) => web.results.length === 0 || coverage >= minCoverage)
  const results = matching.map((document) => resultOf(document, query.showsPassages))
  const unmet = [...web.unmet]
  if (results.length > 0) {
    if (!request.isCountryAssumed) unmet.push('own pages are not limited by country or location')
    if (local.lacksMeaning)
      unmet.push('own pages were ranked by their words alone, because the sentence model did not answer')
    if (local.withoutVector > 0)
      unmet.push(
        `${local.withoutVector} own pages were ranked by their words alone until their vectors are made`,
      )
  }
  if (local.unindexed > 0)
    unmet.push(`${local.unindexed} own pages are being indexed again and cannot be found yet`)
  if (local.exclusion !== undefined) unmet.push(local.exclusion)
  if (local.unknown !== undefined) unmet.push(`related:${local.unknown} is not among the own pages`)
  // Two images may be on the same page.
  const keyOf = request.source === 'images' ? ({ imageUrl, url }: FoundResult) => imageUrl ?? url : undefined
  const merged = mergeResults<FoundResult>([results, web.results], request.limit, keyOf)
  if (request.range.isNewestFirst)
    merged.sort((first, second) => (second.publishedAt ?? 0) - (first.publishedAt ?? 0))
  return {
    ...web,
    ...{ plan, results: merged, documents: local.documents, unmet },
    isIndexEnabled: local.exclusion === undefined,
    failures: local.hasFailed ? [...web.failures, 'the own pages could not be searched'] : web.failures,
  }
}

const minCoverage = 0.75

async function searchIndexedPages(
  { searchPages, indexPermits, log }: SourceQueryDeps,
  { plan, requester }: SourceQuery,
): Promise<PageSearchResult & { hasFailed?: true }> {
  const { source, query, range, limit, now } = plan.request
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

interface ProviderSearchResult extends WebResponse {
  isLate: boolean
}

async function searchProviders(deps: SourceQueryDeps, query: SourceQuery): Promise<ProviderSearchResult> {
  const { requester, providerTimeoutMs } = query
  const timeout = AbortSignal.timeout(providerTimeoutMs)
  const failures: string[] = []
  try {
    const signal = AbortSignal.any([requester.signal, timeout])
    const steps = stepsOf(deps, query)
    const response = await queryInOrder(deps.providerCaller, steps, { ...requester, signal }, failures)
    return { ...response, isLate: false }
  } catch (thrown) {
    if (requester.signal.aborted || !timeout.aborted) throw thrown
    failures.push(`the providers did not answer within ${providerTimeoutMs} ms`)
    return { results: [], answeredBy: [], failures, unmet: [], isLate: true }
  }
}

interface Step {
  group: ConfiguredProvider[]
  request: ProviderRequest
}

function stepsOf({ providers }: SourceQueryDeps, { plan, isSelfHostedOnly }: SourceQuery): Step[] {
  const { category, query, request } = plan
  const steps: Step[] = providers.groupsFor(request.source).map((group) => ({ group, request }))
  if (category !== undefined)
    steps.unshift(
      ...providers.groupsFor(category).map((group) => ({ group, request: { ...request, query, category } })),
    )
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
  for (const { group, request } of steps) {
    const capable = group.filter(
      ({ provider }) => writeQuery(request.query, provider.abilities.dialect).text !== '',
    )
    const [first, ...others] = capable
    if (!first) {
      failures.push(...group.map(({ provider }) => `${provider.name} cannot search for this without words`))
      continue
    }
    const response =
      others.length > 0
        ? await queryAll(caller, capable, request, requester)
        : await queryProvider(caller, first, request, requester)
    failures.push(...response.failures)
    if (response.answeredBy.length > 0) return { ...response, failures }
  }
  return { results: [], answeredBy: [], failures, unmet: [] }
}

function resultOf(document: FoundDocument, showsPassages: boolean): FoundResult {
  const { url, title, passage, beginning, publishedAt, image } = document
  const { text, marks } = showsPassages && passage ? passage : { text: beginning, marks: undefined }
  return {
    ...{ url, title, text },
    ...present({ marks, publishedAt, imageUrl: image?.url }),
    ...present({ imageWidth: image?.width, imageHeight: image?.height }),
  }
}
