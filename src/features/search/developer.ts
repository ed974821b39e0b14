import {
  type GithubHit,
  githubFor,
  type HitType,
  hitTypes,
  isHit,
  isRepositoryQuery,
  type RepoFilter,
} from '../../search/developer/github-hits.ts'
import type { PageSearchResult } from '../../search/page-search.ts'
import { topPassages } from '../../search/passages/top-passages.ts'
import type { ConfiguredProvider } from '../../search/providers/provider-caller.ts'
import { parseQuery, type Query } from '../../search/query/query.ts'
import { mergeResults, type WebResponse } from '../../search/web/search-providers.ts'
import {
  type DeveloperRequest,
  type DeveloperResponse,
  type DeveloperType,
  developerTypes,
} from './developer-schema.ts'
import { notAvailable, type ProviderQueryDeps, throwIfAllFailed, warningOf } from './research.ts'

export interface DeveloperDeps extends ProviderQueryDeps {
  /** Those that the operator has chosen for GitHub. */
  providers: readonly ConfiguredProvider[]
  /** Looks among the pages of the team. */
  searchOwn(query: Query, limit: number): Promise<PageSearchResult>
}

type Result = DeveloperResponse['results'][number]
type Coverage = DeveloperResponse['coverage']

/** What came of one type. */
interface Part {
  type: DeveloperType
  results: Result[]
  answer?: WebResponse
  /** Why it was not searched. */
  reason?: string
  /** What is to be known of how it was searched. */
  note?: string
}

/** A question about code → issues, pull requests and repositories of GitHub, and own pages. */
export async function searchDeveloper(
  deps: DeveloperDeps,
  request: DeveloperRequest,
): Promise<Omit<DeveloperResponse, 'warning'> & { warning?: string }> {
  if (request.skills !== undefined)
    throw notAvailable('a search for agent skills', 'Remove skills; types: ["readme"] finds repositories.')
  const types = request.types ?? developerTypes
  const parts = await Promise.all(
    [...new Set(types)].map((type) =>
      type === 'doc' ? searchPages(deps, request) : searchGithub(deps, type, request),
    ),
  )
  refuseNothing(parts)
  const lists = parts.map(({ results }) => results)
  const reasons = parts.flatMap(({ reason, note }) => reason ?? note ?? [])
  const answers = parts.flatMap(({ answer }) => answer ?? [])
  return {
    results: mergeResults(lists, request.k),
    coverage: coverageOf(parts),
    reranked: false,
    ...(request.repos.length === 0 ? {} : { repos: request.repos.map((repo) => repoStatus(repo, parts)) }),
    ...(request.sources.length === 0 ? {} : { sources: await sourceStatus(deps, request.sources) }),
    ...warningOf(answers, reasons),
  }
}

async function searchGithub(deps: DeveloperDeps, type: HitType, request: DeveloperRequest): Promise<Part> {
  const filter = filterOf(request)
  if (type !== 'readme' && isRepositoryQuery(filter))
    return unsearched(
      type,
      'GitHub finds issues and pull requests by repos, language and archived only; topic, license, stars and fork find repositories',
    )
  const provider = githubFor(type, filter)
  const asked = deps.providers.find((one) => one.provider.name === provider.name)
  if (!asked) return unsearched(type, `${type} needs the provider ${provider.name} in SEARCH_PROVIDERS`)
  const answer = await deps.ask(
    { ...asked, provider },
    {
      ...{ source: 'web', category: 'github', query: parseQuery(request.query) },
      ...{ range: { isNewestFirst: false }, most: request.k, now: deps.clock.now() },
    },
  )
  const hits = answer.results.filter(isHit)
  return { type, results: hits.map((hit) => resultOf(hit, request)), answer }
}

async function searchPages(deps: DeveloperDeps, request: DeveloperRequest): Promise<Part> {
  const { query, sources, k, language, archived } = request
  const isOfRepositories =
    isRepositoryQuery(filterOf(request)) || language !== undefined || archived !== undefined
  if (isOfRepositories && sources.length === 0)
    return unsearched('doc', 'Own pages belong to no repository, so filters of repositories leave them out')
  const { found, documents, exclusion } = await deps.searchOwn(withSites(query, sources), k)
  if (exclusion !== undefined) return unsearched('doc', exclusion)
  const results = found.map(({ url, title, passage, beginning }) => ({
    ...{ id: `doc:${url}`, type: 'doc' as const, url, title },
    passages: [{ text: passage?.text ?? beginning, citation_url: url }],
  }))
  if (documents > 0) return { type: 'doc', results }
  return { type: 'doc', results, note: 'No page of this team is in the index yet: crawl documentation first' }
}

function unsearched(type: DeveloperType, reason: string): Part {
  return { type, results: [], reason }
}

/** Pages of any of the hosts. */
function withSites(text: string, sites: readonly string[]): Query {
  const query = parseQuery(text)
  if (sites.length === 0) return query
  const terms = sites.map((value) => ({ kind: 'operator' as const, name: 'site' as const, value }))
  return { ...query, clauses: [...query.clauses, { terms, isExcluded: false }] }
}

function filterOf(request: DeveloperRequest): RepoFilter {
  const { repos, language, archived, topic: topics, license, fork } = request
  return {
    ...{ repos, language, archived, topics, license, fork },
    ...{ minStars: request.min_stars, maxStars: request.max_stars },
  }
}

function resultOf(hit: GithubHit, { query, passages }: DeveloperRequest): Result {
  const { type, url, title, text, repo, number, license } = hit
  return {
    id: number === undefined ? `${type}:${repo}` : `${type}:${repo}#${number}`,
    ...{ type, url, title },
    passages: topPassages(text, query, passages).map((part) => ({ text: part, citation_url: url })),
    ...(license === undefined ? {} : { license: disclosed(license) }),
  }
}

function disclosed(license: string | null): NonNullable<Result['license']> {
  if (license === null) return { state: 'known_absent', spdx_id: null }
  return license === 'NOASSERTION'
    ? { state: 'unknown', spdx_id: null }
    : { state: 'licensed', spdx_id: license }
}

/** Nothing was searched: that is not the same as that there is nothing. */
function refuseNothing(parts: Part[]): void {
  const answers = parts.flatMap(({ answer }) => answer ?? [])
  if (parts.some(({ answer, reason }) => !answer && reason === undefined)) return
  if (answers.length > 0) throwIfAllFailed(answers)
  else
    throw notAvailable('this search of developer sources', parts.map(({ reason }) => `${reason}.`).join(' '))
}

function coverageOf(parts: Part[]): Coverage {
  const coverage: Coverage = { doc: 'skipped', issue: 'skipped', pull_request: 'skipped', readme: 'skipped' }
  for (const { type, reason, answer } of parts)
    coverage[type] = reason === undefined && answer?.by.length !== 0 ? 'ok' : 'unavailable'
  return coverage
}

function repoStatus(repo: string, parts: Part[]) {
  const has = Object.fromEntries(
    hitTypes.map((type) => {
      const part = parts.find((one) => one.type === type)
      const start = `${type}:${repo}`.toLowerCase()
      return [type, part?.results.some(({ id }) => id.toLowerCase().split('#')[0] === start) ?? false]
    }),
  )
  const types = {
    issue: has.issue === true,
    pullRequest: has.pull_request === true,
    readme: has.readme === true,
  }
  return { repo, indexed: Object.values(types).includes(true), types }
}

function sourceStatus({ searchOwn }: DeveloperDeps, sources: readonly string[]) {
  return Promise.all(
    sources.map(async (source) => {
      const { found } = await searchOwn(withSites('', [source]), 1)
      return { source, indexed: found.length > 0 }
    }),
  )
}
