import { pageKey } from '../index/same-page.ts'
import {
  ProviderFailure,
  type ProviderRequest,
  type ProviderResult,
  type SearchProvider,
} from '../providers/provider.ts'
import type { ConfiguredProvider, ProviderCaller, ProviderRequester } from '../providers/provider-caller.ts'
import { accepts } from '../query/accepts.ts'
import { type Clause, isFilter } from '../query/query.ts'
import { writeQuery } from '../query/write-query.ts'

export interface WebResponse {
  results: ProviderResult[]
  answeredBy: string[]
  failures: string[]
  unmet: string[]
}

/** Merges the results of all providers, because each has different content. */
export async function queryAll(
  caller: ProviderCaller,
  providers: readonly ConfiguredProvider[],
  request: ProviderRequest,
  requester: ProviderRequester,
): Promise<WebResponse> {
  const responses = await Promise.all(
    providers.map((provider) => queryProvider(caller, provider, request, requester)),
  )
  const lists = responses.map(({ results }) => results)
  return {
    results: mergeResults(lists, request.limit),
    answeredBy: responses.flatMap(({ answeredBy }) => answeredBy),
    failures: responses.flatMap(({ failures }) => failures),
    unmet: [...new Set(responses.flatMap(({ unmet }) => unmet))],
  }
}

/** `answeredBy` is empty after a failure. */
export async function queryProvider(
  caller: ProviderCaller,
  provider: ConfiguredProvider,
  request: ProviderRequest,
  requester: ProviderRequester,
): Promise<WebResponse> {
  try {
    const found = await caller.ask(provider, request, requester)
    const { results, unmet } = filterResults(provider.provider, request, found)
    const answeredBy = [provider.provider.name]
    return { results: results.slice(0, request.limit), answeredBy, failures: [], unmet }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure)
      return { results: [], answeredBy: [], failures: [thrown.message], unmet: [] }
    throw thrown
  }
}

/** Applies the conditions that a provider does not support, and lists those that cannot be applied. */
function filterResults(
  { name, abilities, base }: SearchProvider,
  request: ProviderRequest,
  results: readonly ProviderResult[],
): { results: ProviderResult[]; unmet: string[] } {
  const { unsupported } = writeQuery(request.query, abilities.dialect)
  const { from, to } = request.range
  const isDated = from !== undefined || to !== undefined
  // Providers with `recent` dates support only ranges that end now.
  const supportsRange = abilities.dates === 'any' || (abilities.dates === 'recent' && to === undefined)
  const filtersDates = isDated && !supportsRange
  const unmet = findUnmet(name, abilities, request, unsupported)
  const matching = results.filter((result) => {
    if (filtersDates && !isWithin(result.publishedAt, request)) return false
    const { url, title, imageWidth, imageHeight } = result
    const fields = { url, title, imageWidth, imageHeight }
    return accepts({ clauses: unsupported }, fields) && isOnSites(result, request, base)
  })
  if (filtersDates && results.some(({ publishedAt }) => publishedAt === undefined))
    unmet.push(`${name} does not date all of its results; those without a date were left out`)
  const hasSize = unsupported.some(({ terms }) => terms.some(({ kind }) => kind === 'size'))
  if (hasSize && results.some(({ imageWidth }) => imageWidth === undefined))
    unmet.push(`${name} does not say the size of all images; those without one were left out`)
  if (request.range.isNewestFirst && !abilities.sortsByDate)
    matching.sort((one, other) => (other.publishedAt ?? 0) - (one.publishedAt ?? 0))
  return { results: matching, unmet }
}

/** The URL of a result proves its site, unless it is a redirect of the provider. */
function isOnSites({ url }: ProviderResult, { query }: ProviderRequest, base: string): boolean {
  if (base !== '' && URL.parse(url)?.host === URL.parse(base)?.host) return true
  const isSite = (clause: Clause) =>
    clause.terms.every((term) => term.kind === 'operator' && term.name === 'site')
  return accepts({ clauses: query.clauses.filter(isSite) }, { url })
}

/** False for a result without a date, whose time is unknown. */
function isWithin(publishedAt = Number.NaN, { range: { from, to } }: ProviderRequest): boolean {
  return publishedAt >= (from ?? publishedAt) && publishedAt <= (to ?? publishedAt)
}

function findUnmet(
  name: string,
  abilities: SearchProvider['abilities'],
  request: ProviderRequest,
  unsupported: Clause[],
): string[] {
  const unmet: string[] = []
  if (request.country !== undefined && !request.isCountryAssumed && !abilities.country)
    unmet.push(`${name} has no results by country`)
  if (request.location !== undefined && !abilities.location) unmet.push(`${name} has no results by location`)
  if (request.language !== undefined && !abilities.language) unmet.push(`${name} has no results by language`)
  const isRelated = (clause: Clause) =>
    clause.terms.some((term) => term.kind === 'operator' && term.name === 'related')
  if (unsupported.some(isRelated)) unmet.push(`${name} does not know related:`)
  for (const clause of unsupported)
    if (isFilter(clause) && clause.terms.some(({ kind }) => kind === 'phrase' || kind === 'word'))
      unmet.push(`${name} does not search for ${formatClause(clause)}; its results may not hold to it`)
  return unmet
}

function formatClause({ terms, isExcluded }: Clause): string {
  const words = terms.flatMap((term) => {
    if (term.kind === 'phrase') return `"${term.text}"`
    return term.kind === 'word' ? term.text : []
  })
  return `${isExcluded ? '-' : ''}${words.join(' OR ')}`
}

/** Merges ranked lists, best first, without duplicates. A result with high ranks in several lists ranks higher (RRF). */
export function mergeResults<Result extends { url: string }>(
  lists: readonly (readonly Result[])[],
  limit: number,
  keyOf: (result: Result) => string = ({ url }) => pageKey(url),
): Result[] {
  const merged = new Map<string, { result: Result; score: number }>()
  for (const list of lists)
    for (const [rank, result] of list.entries()) {
      const key = keyOf(result)
      const existing = merged.get(key)
      const score = 1 / (60 + rank)
      if (existing) existing.score += score
      else merged.set(key, { result, score })
    }
  const sorted = [...merged.values()].sort((one, other) => other.score - one.score)
  return sorted.slice(0, limit).map(({ result }) => result)
}
