import type { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { AppError, type ErrorCode, toAppError } from '../../platform/errors.ts'
import { githubFor, type HitType, isHit } from '../../search/developer/github-hits.ts'
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

export interface ResearchDeps extends ProviderQueryDeps {
  /** Those that the operator has chosen for research. */
  providers: readonly ConfiguredProvider[]
}

const mostOfProvider = 100
const lastMoment = 24 * 3600_000 - 1

/** A question → papers of all catalogues, the best first. */
export async function searchPapers(
  deps: ResearchDeps,
  { query, k, authors, categories, from, to }: PapersRequest,
): Promise<z.input<typeof papersResponse>> {
  const filter = { authors, categories }
  const range = {
    ...(from === undefined ? {} : { from: Date.parse(from) }),
    ...(to === undefined ? {} : { to: Date.parse(to) + lastMoment }),
    isNewestFirst: false,
  }
  const request = requestOf(deps, { query, range, most: Math.min(k, mostOfProvider) })
  const asked = deps.providers.flatMap((provider) =>
    catalogueFor(provider, { kind: 'search', filter }, request),
  )
  refuseNobody(asked, deps, 'a search for papers by this filter')
  const answers = await Promise.all(asked.map((one) => deps.ask(one, request)))
  throwIfAllFailed(answers)
  const lists = answers.map(({ results }) => papersOf(results).filter((paper) => fitsFilter(paper, filter)))
  return {
    results: mergePapers(lists).slice(0, k).map(resultOf),
    ...warningOf(answers, leftOut(deps, filter)),
  }
}

/** What the catalogues know of one paper. */
export async function getPaper(
  deps: ResearchDeps,
  { id, query, k }: PaperRequest,
): Promise<z.input<typeof paperResponse>> {
  if (k !== undefined && query === undefined)
    throw new AppError('BAD_REQUEST', {}, { message: 'k is only valid together with query.' })
  const { paper, answers } = await lookUpPaper(deps, keyOf(id))
  const { updatedAt, publishedAt } = paper
  return {
    paper: {
      paperId: primaryId(paper),
      ...{ ids: paper.ids, title: paper.title, abstract: paper.text, url: paper.url },
      ...(paper.pdfUrl === undefined ? {} : { pdfUrl: paper.pdfUrl }),
      ...(paper.authors.length === 0 ? {} : { authors: paper.authors.join(', ') }),
      ...(paper.categories.length === 0 ? {} : { categories: paper.categories }),
      ...(publishedAt === undefined ? {} : { createdDate: dayOf(publishedAt) }),
      ...(updatedAt === undefined ? {} : { updateDate: dayOf(updatedAt) }),
    },
    ...warningOf(answers),
  }
}

export async function lookUpPaper(
  deps: ResearchDeps,
  key: PaperKey,
): Promise<{ paper: Paper; answers: WebResponse[] }> {
  const request = requestOf(deps, { most: 1 })
  const asked = deps.providers.flatMap((provider) =>
    catalogueFor(provider, { kind: 'look-up', key }, request),
  )
  refuseNobody(asked, deps, `looking up papers by ${key.scheme}`)
  const answers = await Promise.all(asked.map((one) => deps.ask(one, request)))
  throwIfAllFailed(answers)
  const [found] = mergePapers(answers.map(({ results }) => papersOf(results)))
  if (!found) throw new AppError('PAPER_NOT_FOUND', warningOf(answers))
  return { paper: found.paper, answers }
}

/** A provider as it is asked for papers; none where it cannot be asked for that. */
export function catalogueFor(
  asked: ConfiguredProvider,
  query: PaperQuery,
  request: ProviderRequest,
): ConfiguredProvider[] {
  const catalogue = paperCatalogues.find(({ provider }) => provider.name === asked.provider.name)
  const isFiltered =
    query.kind === 'search' && (query.filter.authors.length > 0 || query.filter.categories.length > 0)
  // One that knows no papers finds pages about them.
  if (!catalogue) return query.kind === 'search' && !isFiltered ? [asked] : []
  if (query.kind === 'search' && query.filter.categories.length > 0 && !catalogue.knowsCategories) return []
  const call = catalogue.call(query, request, asked.place)
  return call ? [{ ...asked, provider: { ...asked.provider, call: () => call, read: catalogue.read } }] : []
}

export function requestOf(
  { clock }: Pick<ResearchDeps, 'clock'>,
  wanted: { query?: string; range?: TimeRange; most: number },
): ProviderRequest {
  const { query = '', range = { isNewestFirst: false }, most } = wanted
  return { source: 'web', category: 'research', query: parseQuery(query), range, most, now: clock.now() }
}

export function papersOf(results: readonly ProviderResult[]): Paper[] {
  return results.flatMap((result) => (isPaper(result) ? [result] : normalizePaper({ ...result, keys: [] })))
}

export function keyOf(id: string): PaperKey {
  const key = readPaperKey(id)
  if (key) return key
  const forms = paperSchemes.map((scheme) => `${scheme}:…`).join(', ')
  const message = `Papers are known here by ${forms}, or by the address of their page. This id is none of these.`
  throw new AppError('PAPER_NOT_FOUND', {}, { message })
}

export function resultOf({ paper, score }: RankedPaper): PaperResult {
  const id = primaryId(paper)
  const { ids, title, text: abstract, url } = paper
  return { paperId: id, primaryId: id, ids, title, abstract, url, score }
}

/** By the scheme that most catalogues can be asked for; a paper without any is known by its address. */
function primaryId({ ids, url }: Paper): string {
  for (const scheme of paperSchemes) {
    const [value] = ids[scheme] ?? []
    if (value !== undefined) return writePaperKey({ scheme, value })
  }
  return url
}

function refuseNobody(asked: ConfiguredProvider[], { providers }: ResearchDeps, what: string): void {
  if (asked.length > 0) return
  const chosen = providers.map(({ provider }) => provider.name).join(', ') || 'none'
  const known = paperCatalogues.map(({ provider }) => provider.name).join(', ')
  throw notAvailable(what, `SEARCH_PROVIDERS has to name one of ${known}; for research it has: ${chosen}.`)
}

function leftOut({ providers }: ResearchDeps, { authors, categories }: PaperFilter): string[] {
  if (authors.length === 0 && categories.length === 0) return []
  const silent = providers.filter(({ provider }) => {
    const catalogue = paperCatalogues.find((one) => one.provider.name === provider.name)
    return !catalogue || (categories.length > 0 && !catalogue.knowsCategories)
  })
  const option = categories.length > 0 ? 'categories' : 'authors'
  return silent.map(({ provider }) => `${provider.name} does not know ${option} and was not asked`)
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Asks one provider on behalf of the caller. */
type AskOutside = (asked: ConfiguredProvider, request: ProviderRequest) => Promise<WebResponse>

export interface ProviderQueryDeps {
  clock: Clock
  ask: AskOutside
}

/** Nothing was found because nobody could look: that is not the same as that there is nothing. */
export function throwIfAllFailed(answers: readonly WebResponse[]): void {
  if (answers.some(({ by }) => by.length > 0)) return
  const failures = [...new Set(answers.flatMap((answer) => answer.failures))]
  const hint =
    'Try again in a few minutes: the providers could not be reached or refused the request. The operator allows more requests with a key in SEARCH_KEYS, and other providers with SEARCH_URLS.'
  throw new AppError('SEARCH_ENGINE_FAILED', { phase: 'search', details: failures, hint })
}

/** Who could not answer, and what those who did could not do. */
export function warningOf(
  answers: readonly WebResponse[],
  more: readonly string[] = [],
): { warning?: string } {
  const notes = new Set([...answers.flatMap(({ failures, unmet }) => [...failures, ...unmet]), ...more])
  if (notes.size === 0) return {}
  return { warning: [...notes].map((note) => (note.endsWith('.') ? note : `${note}.`)).join(' ') }
}

export function notAvailable(feature: string, hint: string): AppError {
  const message = `Not available on this installation: ${feature}. ${hint}`
  return new AppError('FEATURE_NOT_AVAILABLE', { feature, hint }, { message })
}

export interface ResearchGithubDeps extends ProviderQueryDeps {
  providers: readonly ConfiguredProvider[]
}

const types: HitType[] = ['issue', 'readme']

/** Issues and repositories of GitHub, as one list. */
export async function searchResearchGithub(
  deps: ResearchGithubDeps,
  { query, k }: GithubRequest,
): Promise<z.input<typeof githubResponse>> {
  const request = { ...requestOf(deps, { query, most: k }), category: 'github' as const }
  const asked = types.flatMap((type) => {
    const provider = githubFor(type, { repos: [], topics: [] })
    const chosen = deps.providers.find((one) => one.provider.name === provider.name)
    return chosen ? [{ ...chosen, provider }] : []
  })
  if (asked.length === 0)
    throw notAvailable('a search of GitHub', 'It needs github or github-issues in SEARCH_PROVIDERS.')
  const answers = await Promise.all(asked.map((one) => deps.ask(one, request)))
  throwIfAllFailed(answers)
  const merged = mergeResults(
    answers.map(({ results }) => results.filter(isHit)),
    k,
  )
  return {
    results: merged.map(({ type, repo, url, title, text, number }, place) => ({
      resultType: type === 'readme' ? ('repo_readme' as const) : ('github_history' as const),
      ...{ repo, url, title, snippet: text.slice(0, 1000) },
      ...(number === undefined ? {} : { pageType: 'issue', number }),
      scores: { rrf: 1 / (60 + place) },
    })),
    replacement: '/v2/search/developer',
    ...warningOf(answers),
  }
}

const usualPassages = 4
/** They say what to do about the call, whatever was to be scraped. */
const ofTheCall: ErrorCode[] = [
  ...(['CREDITS_EXHAUSTED', 'CONCURRENCY_QUEUE_TIMEOUT', 'SCRAPE_TIMEOUT', 'SCRAPE_JOB_CANCELLED'] as const),
  ...(['STORE_UNAVAILABLE', 'TEMPORARY_FOLDER_FULL', 'STOPPING', 'CALL_INTERRUPTED', 'INTERNAL'] as const),
  'IDEMPOTENCY_KEY_REUSED',
]

/** Catalogues have abstracts; the text of a paper is on its own page. */
export async function readPaper(
  scrape: (url: string) => Promise<Document>,
  { paper, ...found }: PaperResponse,
  { query, k = usualPassages }: { query: string; k?: number | undefined },
): Promise<PaperResponse> {
  const url = paper.pdfUrl ?? paper.url
  const { markdown = '' } = await scrape(url).catch((thrown) => {
    throw unreadable(toAppError(thrown), url)
  })
  const passages = rankPassages(markdown, query).slice(0, k)
  return {
    ...found,
    ...{ paper, paperId: paper.paperId, query },
    passages: passages.map(({ text, score }) => ({ text, score })),
  }
}

function unreadable(error: AppError, url: string): AppError {
  if (ofTheCall.includes(error.code)) return error
  const message = `The text of the paper could not be read at ${url}: ${error.message} Without query, its abstract is returned.`
  return new AppError('PAPER_UNREADABLE', { url, reason: error.code }, { message, cause: error })
}
