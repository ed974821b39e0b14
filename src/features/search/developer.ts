import {
  type GithubHit,
  githubFor,
  type HitType,
  isHit,
  isRepositoryQuery,
  type RepoFilter,
} from '../../search/developer/github-hits.ts'
import type { PageSearchResult } from '../../search/page-search.ts'
import { topPassages } from '../../search/passages/top-passages.ts'
import { parseQuery, type Query } from '../../search/query/query.ts'
import { mergeResults, type WebResponse } from '../../search/web/search-providers.ts'
import {
  type DeveloperRequest,
  type DeveloperResponse,
  type DeveloperType,
  developerTypes,
} from './developer-schema.ts'
import { sitesOf, withClause } from './plan.ts'
import { notAvailable, type ResearchDeps, throwIfAllFailed, warningOf } from './research.ts'

interface DeveloperDeps extends ResearchDeps {
  searchIndexedPages(query: Query, limit: number): Promise<PageSearchResult>
}

type Result = DeveloperResponse['results'][number]

interface TypeResult {
  type: DeveloperType
  results: Result[]
  response?: WebResponse
  reason?: string
  note?: string
}

export async function searchDeveloper(
  deps: DeveloperDeps,
  request: DeveloperRequest,
): Promise<DeveloperResponse> {
  if (request.skills !== undefined)
    throw notAvailable('a search for agent skills', 'Remove skills; types: ["readme"] finds repositories.')
  const types = request.types ?? developerTypes
  const typeResults = await Promise.all(
    [...new Set(types)].map((type) =>
      type === 'doc' ? searchPages(deps, request) : searchGithub(deps, type, request),
    ),
  )
  throwIfNothingSearched(typeResults)
  const lists = typeResults.map(({ results }) => results)
  const reasons = typeResults.flatMap(({ reason, note }) => reason ?? note ?? [])
  const responses = typeResults.flatMap(({ response }) => response ?? [])
  const repos = request.repos.map((repo) => repoStatus(repo, typeResults))
  return {
    results: mergeResults(lists, request.k),
    coverage: coverageOf(typeResults),
    reranked: false,
    ...(repos.length === 0 ? {} : { repos }),
    ...(request.sources.length === 0 ? {} : { sources: await sourceStatus(deps, request.sources) }),
    ...warningOf(responses, reasons),
  }
}

async function searchGithub(
  deps: DeveloperDeps,
  type: HitType,
  request: DeveloperRequest,
): Promise<TypeResult> {
  const filter = filterOf(request)
  if (type !== 'readme' && isRepositoryQuery(filter))
    return unsearched(
      type,
      'GitHub finds issues and pull requests by repos, language and archived only; topic, license, stars and fork find repositories',
    )
  const provider = githubFor(type, filter)
  const configured = deps.providers.find((candidate) => candidate.provider.name === provider.name)
  if (!configured) return unsearched(type, `${type} needs the provider ${provider.name} in SEARCH_PROVIDERS`)
  const response = await deps.queryProvider(
    { ...configured, provider },
    {
      ...{ source: 'web', category: 'github', query: parseQuery(request.query) },
      ...{ range: { isNewestFirst: false }, limit: request.k, now: deps.clock.now() },
    },
  )
  const hits = response.results.filter(isHit)
  return { type, results: hits.map((hit) => resultOf(hit, request)), response }
}

async function searchPages(deps: DeveloperDeps, request: DeveloperRequest): Promise<TypeResult> {
  const { query, sources, k, language, archived } = request
  const isOfRepositories =
    isRepositoryQuery(filterOf(request)) || language !== undefined || archived !== undefined
  if (isOfRepositories && sources.length === 0)
    return unsearched('doc', 'Own pages belong to no repository, so filters of repositories leave them out')
  const { found, documents, exclusion } = await deps.searchIndexedPages(withSites(query, sources), k)
  if (exclusion !== undefined) return unsearched('doc', exclusion)
  const results = found.map(({ url, title, passage, beginning }) => ({
    ...{ id: `doc:${url}`, type: 'doc' as const, url, title },
    passages: [{ text: passage?.text ?? beginning, citation_url: url }],
  }))
  if (documents > 0) return { type: 'doc', results }
  return { type: 'doc', results, note: 'No page of this team is in the index yet: crawl documentation first' }
}

function unsearched(type: DeveloperType, reason: string): TypeResult {
  return { type, results: [], reason }
}

function withSites(text: string, sites: readonly string[]): Query {
  return sites.length === 0 ? parseQuery(text) : withClause(parseQuery(text), sitesOf(sites))
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
    passages: topPassages(text, query, passages).map((passage) => ({ text: passage, citation_url: url })),
    ...(license === undefined ? {} : { license: toLicense(license) }),
  }
}

function toLicense(license: string | null): NonNullable<Result['license']> {
  if (license === null) return { state: 'known_absent', spdx_id: null }
  if (license === 'NOASSERTION') return { state: 'unknown', spdx_id: null }
  return { state: 'licensed', spdx_id: license }
}

/** Throws if no type could be searched. A failure must not look like an empty result. */
function throwIfNothingSearched(typeResults: TypeResult[]): void {
  const responses = typeResults.flatMap(({ response }) => response ?? [])
  if (typeResults.some(({ response, reason }) => !response && reason === undefined)) return
  if (responses.length > 0) {
    throwIfAllFailed(responses)
    return
  }
  const reasons = typeResults.map(({ reason }) => `${reason}.`).join(' ')
  throw notAvailable('this search of developer sources', reasons)
}

function coverageOf(typeResults: TypeResult[]) {
  const coverage: DeveloperResponse['coverage'] = {
    doc: 'skipped',
    issue: 'skipped',
    pull_request: 'skipped',
    readme: 'skipped',
  }
  for (const { type, reason, response } of typeResults)
    coverage[type] = reason === undefined && response?.answeredBy.length !== 0 ? 'ok' : 'unavailable'
  return coverage
}

function repoStatus(repo: string, typeResults: TypeResult[]) {
  const ids = typeResults.flatMap(({ results }) => results.map(({ id }) => id.toLowerCase().split('#')[0]))
  const hasResults = (type: HitType) => ids.includes(`${type}:${repo}`.toLowerCase())
  const types = {
    issue: hasResults('issue'),
    pullRequest: hasResults('pull_request'),
    readme: hasResults('readme'),
  }
  return { repo, indexed: Object.values(types).includes(true), types }
}

function sourceStatus({ searchIndexedPages }: DeveloperDeps, sources: readonly string[]) {
  return Promise.all(
    sources.map(async (source) => {
      const { found } = await searchIndexedPages(withSites('', [source]), 1)
      return { source, indexed: found.length > 0 }
    }),
  )
}
