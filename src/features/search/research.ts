import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { AppError, type ErrorCode, toAppError } from '../../platform/errors.ts'
import { githubFor, isHit } from '../../search/developer/github-hits.ts'
import { paperCatalogues } from '../../search/papers/all.ts'
import { mergePapers, type RankedPaper } from '../../search/papers/merge-papers.ts'
import {
  fitsFilter,
  isPaper,
  normalizePaper,
  type Paper,
  type PaperFilter,
  type PaperQuery,
} from '../../search/papers/paper.ts'
import { type PaperKey, paperSchemes, readPaperKey, writePaperKey } from '../../search/papers/paper-key.ts'
import { rankPassages } from '../../search/passages/top-passages.ts'
import type { ProviderRequest, ProviderResult } from '../../search/providers/provider.ts'
import type { ConfiguredProvider } from '../../search/providers/provider-caller.ts'
import { parseQuery } from '../../search/query/query.ts'
import type { TimeRange } from '../../search/query/time-range.ts'
import { mergeResults, type WebResponse } from '../../search/web/search-providers.ts'
import { present } from '../present.ts'
import type { Document } from '../scrape/schema.ts'
import type {
  GithubRequest,
  githubResponse,
  PaperRequest,
  PaperResponse,
  PaperResult,
  PapersRequest,
  paperResponse,
  papersResponse,
} from './research-schema.ts'

export interface ResearchDeps {
  clock: Clock
  providers: readonly ConfiguredProvider[]
  queryProvider(provider: ConfiguredProvider, request: ProviderRequest): Promise<WebResponse>
}

const maxProviderResults = 100
const endOfDayMs = 24 * 3600_000 - 1

export async function searchPapers(
  deps: ResearchDeps,
  { query, k, authors, categories, from, to }: PapersRequest,
): Promise<z.input<typeof papersResponse>> {
  const filter = { authors, categories }
  const range = {
    from: from === undefined ? undefined : Date.parse(from),
    to: to === undefined ? undefined : Date.parse(to) + endOfDayMs,
    isNewestFirst: false,
  }
  const request = requestOf(deps, { query, range, limit: Math.min(k, maxProviderResults) })
  const feature = 'a search for papers by this filter'
  const responses = await queryCatalogues(deps, request, { query: { kind: 'search', filter }, feature })
  const lists = responses.map(({ results }) => papersOf(results).filter((paper) => fitsFilter(paper, filter)))
  return {
    results: mergePapers(lists).slice(0, k).map(resultOf),
    ...warningOf(responses, describeSkipped(deps, filter)),
  }
}

export async function getPaper(
  deps: ResearchDeps,
  { id, query, k }: PaperRequest,
): Promise<z.input<typeof paperResponse>> {
  if (k !== undefined && query === undefined)
    throw new AppError('BAD_REQUEST', {}, { message: 'k is only valid together with query.' })
  const { paper, responses } = await lookUpPaper(deps, keyOf(id))
  const { ids, title, text: abstract, url, pdfUrl, authors, categories, publishedAt, updatedAt } = paper
  return {
    paper: {
      ...{ paperId: primaryId(paper), ids, title, abstract, url },
      ...present({
        pdfUrl,
        authors: authors.length === 0 ? undefined : authors.join(', '),
        categories: categories.length === 0 ? undefined : categories,
        createdDate: dayOf(publishedAt),
        updateDate: dayOf(updatedAt),
      }),
    },
    ...warningOf(responses),
  }
}

export async function lookUpPaper(
  deps: ResearchDeps,
  key: PaperKey,
): Promise<{ paper: Paper; responses: WebResponse[] }> {
  const request = requestOf(deps, { limit: 1 })
  const feature = `looking up papers by ${key.scheme}`
  const responses = await queryCatalogues(deps, request, { query: { kind: 'look-up', key }, feature })
  const [best] = mergePapers(responses.map(({ results }) => papersOf(results)))
  if (!best) throw new AppError('PAPER_NOT_FOUND', warningOf(responses))
  return { paper: best.paper, responses }
}

async function queryCatalogues(
  deps: ResearchDeps,
  request: ProviderRequest,
  { query, feature }: { query: PaperQuery; feature: string },
): Promise<WebResponse[]> {
  const catalogues = deps.providers.flatMap((provider) => catalogueFor(provider, query, request))
  if (catalogues.length === 0) {
    const configuredNames = deps.providers.map(({ provider }) => provider.name).join(', ') || 'none'
    const catalogueNames = paperCatalogues.map(({ provider }) => provider.name).join(', ')
    const hint = `SEARCH_PROVIDERS has to name one of ${catalogueNames}; for research it has: ${configuredNames}.`
    throw notAvailable(feature, hint)
  }
  const responses = await Promise.all(catalogues.map((catalogue) => deps.queryProvider(catalogue, request)))
  throwIfAllFailed(responses)
  return responses
}

export function catalogueFor(
  configured: ConfiguredProvider,
  query: PaperQuery,
  request: ProviderRequest,
): ConfiguredProvider[] {
  const catalogue = paperCatalogues.find(({ provider }) => provider.name === configured.provider.name)
  const { authors = [], categories = [] } = query.kind === 'search' ? query.filter : {}
  // A web provider that is not a paper catalogue can search for pages about papers.
  if (!catalogue)
    return query.kind === 'search' && authors.length + categories.length === 0 ? [configured] : []
  if (categories.length > 0 && !catalogue.supportsCategories) return []
  const call = catalogue.call(query, request, configured.endpoint)
  return call
    ? [{ ...configured, provider: { ...configured.provider, call: () => call, read: catalogue.read } }]
    : []
}

export function requestOf(
  { clock }: ResearchDeps,
  options: { query?: string; range?: TimeRange; limit: number },
): ProviderRequest {
  const { query = '', range = { isNewestFirst: false }, limit } = options
  return {
    ...{ source: 'web', category: 'research', query: parseQuery(query) },
    ...{ range, limit, now: clock.now() },
  }
}

export function papersOf(results: readonly ProviderResult[]): Paper[] {
  return results.flatMap((result) => (isPaper(result) ? [result] : normalizePaper({ ...result, keys: [] })))
}

export function keyOf(id: string): PaperKey {
  const key = readPaperKey(id)
  if (key) return key
  const schemes = paperSchemes.map((scheme) => `${scheme}:…`).join(', ')
  const message = `Papers are known here by ${schemes}, or by the address of their page. This id is none of these.`
  throw new AppError('PAPER_NOT_FOUND', {}, { message })
}

export function resultOf({ paper, score }: RankedPaper): PaperResult {
  const id = primaryId(paper)
  const { ids, title, text: abstract, url } = paper
  return { paperId: id, primaryId: id, ids, title, abstract, url, score }
}

function primaryId({ ids, url }: Paper): string {
  for (const scheme of paperSchemes) {
    const [value] = ids[scheme] ?? []
    if (value !== undefined) return writePaperKey({ scheme, value })
  }
  return url
}

function describeSkipped({ providers }: ResearchDeps, { authors, categories }: PaperFilter): string[] {
  if (authors.length === 0 && categories.length === 0) return []
  const skipped = providers.filter(({ provider }) => {
    const catalogue = paperCatalogues.find((catalogue) => catalogue.provider.name === provider.name)
    return !catalogue || (categories.length > 0 && !catalogue.supportsCategories)
  })
  const option = categories.length > 0 ? 'categories' : 'authors'
  return skipped.map(({ provider }) => `${provider.name} does not know ${option} and was not asked`)
}

const dayOf = (at: number | undefined) =>
  at === undefined ? undefined : new Date(at).toISOString().slice(0, 10)

/** Throws if no provider could be queried. A failure must not look like an empty result. */
export function throwIfAllFailed(responses: readonly WebResponse[]): void {
  if (responses.some(({ answeredBy }) => answeredBy.length > 0)) return
  const failures = [...new Set(responses.flatMap((response) => response.failures))]
  const hint =
    'Try again in a few minutes: the providers could not be reached or refused the request. The operator allows more requests with a key in SEARCH_KEYS, and other providers with SEARCH_URLS.'
  throw new AppError('SEARCH_ENGINE_FAILED', { phase: 'search', details: failures, hint })
}

export function warningOf(
  responses: readonly WebResponse[],
  extra: readonly string[] = [],
): { warning?: string } {
  const messages = [...responses.flatMap(({ failures, unmet }) => [...failures, ...unmet]), ...extra]
  if (messages.length === 0) return {}
  const sentences = [...new Set(messages)].map((text) => (text.endsWith('.') ? text : `${text}.`))
  return { warning: sentences.join(' ') }
}

export function notAvailable(feature: string, hint: string): AppError {
  const message = `Not available on this installation: ${feature}. ${hint}`
  return new AppError('FEATURE_NOT_AVAILABLE', { feature, hint }, { message })
}

export async function searchResearchGithub(
  deps: ResearchDeps,
  { query, k }: GithubRequest,
): Promise<z.input<typeof githubResponse>> {
  const request = { ...requestOf(deps, { query, limit: k }), category: 'github' as const }
  const chosenProviders = (['issue', 'readme'] as const).flatMap((type) => {
    const provider = githubFor(type, { repos: [], topics: [] })
    const configured = deps.providers.find((catalogue) => catalogue.provider.name === provider.name)
    return configured ? [{ ...configured, provider }] : []
  })
  if (chosenProviders.length === 0)
    throw notAvailable('a search of GitHub', 'It needs github or github-issues in SEARCH_PROVIDERS.')
  const responses = await Promise.all(
    chosenProviders.map((provider) => deps.queryProvider(provider, request)),
  )
  throwIfAllFailed(responses)
  const lists = responses.map(({ results }) => results.filter(isHit))
  return {
    results: mergeResults(lists, k).map(({ type, repo, url, title, text, number }, index) => ({
      resultType: type === 'readme' ? ('repo_readme' as const) : ('github_history' as const),
      ...{ repo, url, title, snippet: text.slice(0, 1000) },
      ...(number === undefined ? {} : { pageType: 'issue', number }),
      scores: { rrf: 1 / (60 + index) },
    })),
    replacement: '/v2/search/developer',
    ...warningOf(responses),
  }
}

const defaultPassages = 4
/** Errors that concern the call and not the paper. They are returned unchanged. */
const callErrors: ErrorCode[] = [
  ...(['CREDITS_EXHAUSTED', 'CONCURRENCY_QUEUE_TIMEOUT', 'SCRAPE_TIMEOUT', 'SCRAPE_JOB_CANCELLED'] as const),
  ...(['STORE_UNAVAILABLE', 'TEMPORARY_FOLDER_FULL', 'STOPPING', 'CALL_INTERRUPTED', 'INTERNAL'] as const),
  'IDEMPOTENCY_KEY_REUSED',
]

/** Scrapes a paper and ranks its passages, because catalogues contain only abstracts. */
export async function readPaper(
  scrape: (url: string) => Promise<Document>,
  { paper, ...details }: PaperResponse,
  { query, k = defaultPassages }: { query: string; k?: number | undefined },
): Promise<PaperResponse> {
  const url = paper.pdfUrl ?? paper.url
  const { markdown = '' } = await scrape(url).catch((thrown) => {
    throw toReadError(toAppError(thrown), url)
  })
  const passages = rankPassages(markdown, query).slice(0, k)
  return {
    ...details,
    ...{ paper, paperId: paper.paperId, query },
    passages: passages.map(({ text, score }) => ({ text, score })),
  }
}

function toReadError(error: AppError, url: string): AppError {
  if (callErrors.includes(error.code)) return error
  const message = `The text of the paper could not be read at ${url}: ${error.message} Without query, its abstract is returned.`
  return new AppError('PAPER_UNREADABLE', { url, reason: error.code }, { message, cause: error })
}
