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
  by: string[]
  failures: string[]
  unmet: string[]
}

/** For the open web, one response is enough, even an empty one. */
export async function queryFirstResponding(
  caller: ProviderCaller,
  providers: readonly ConfiguredProvider[],
  request: ProviderRequest,
  requester: ProviderRequester,
): Promise<WebResponse> {
  const failures: string[] = []
  for (const provider of providers) {
    const outcome = await queryProvider(caller, provider, request, requester)
    if (!('failure' in outcome)) return { ...outcome, by: [provider.provider.name], failures }
    failures.push(outcome.failure)
  }
  return { results: [], by: [], failures, unmet: [] }
}

/** Merges the results of all providers, because each has different content. */
export async function queryAll(
  caller: ProviderCaller,
  providers: readonly ConfiguredProvider[],
  request: ProviderRequest,
  requester: ProviderRequester,
): Promise<WebResponse> {
  const outcomes = await Promise.all(
    providers.map((provider) => queryProvider(caller, provider, request, requester)),
  )
  const responses = outcomes.flatMap((outcome, index) =>
    'failure' in outcome ? [] : [{ ...outcome, name: providers[index]?.provider.name ?? '' }],
  )
  const lists = responses.map(({ results }) => results)
  return {
    results: mergeResults(lists, request.limit),
    by: responses.map(({ name }) => name),
    failures: outcomes.flatMap((outcome) => ('failure' in outcome ? [outcome.failure] : [])),
    unmet: [...new Set(responses.flatMap(({ unmet }) => unmet))],
  }
}

async function queryProvider(
  caller: ProviderCaller,
  provider: ConfiguredProvider,
  request: ProviderRequest,
  requester: ProviderRequester,
): Promise<{ results: ProviderResult[]; unmet: string[] } | { failure: string }> {
  try {
    const found = await caller.ask(provider, request, requester)
    const { results, unmet } = filterResults(provider.provider, request, found)
    return { results: results.slice(0, request.limit), unmet }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) return { failure: thrown.message }
    throw thrown
  }
}

/** Filters results by the conditions that a provider does not support, and names those that nothing satisfies. */
function filterResults(
  { name, abilities, base }: SearchProvider,
  request: ProviderRequest,
  results: readonly ProviderResult[],
): { results: ProviderResult[]; unmet: string[] } {
  const { unsupported } = writeQuery(request.query, abilities.dialect)
  const { from, to } = request.range
  const isDated = from !== undefined || to !== undefined
  // Providers of recent spans support ranges that end now.
  const supportsRange = abilities.dates === 'any' || (abilities.dates === 'recent' && to === undefined)
  const filtersDates = isDated && !supportsRange
  const unmet = findUnmet(name, abilities, request, unsupported)
  const matching = results.filter((result) => {
    if (filtersDates && !isWithin(result.publishedAt, request)) return false
    return accepts({ clauses: unsupported }, toResultFields(result)) && isOnSites(result, request, base)
  })
  if (filtersDates && results.some(({ publishedAt }) => publishedAt === undefined))
    unmet.push(`${name} does not date all of its results; those without a date were left out`)
  const hasSize = unsupported.some(({ terms }) => terms.some(({ kind }) => kind === 'size'))
  if (hasSize && results.some(({ imageWidth }) => imageWidth === undefined))
    unmet.push(`${name} does not say the size of all images; those without one were left out`)
  const sorted =
    request.range.isNewestFirst && !abilities.sortsByDate ? matching.toSorted(newestFirst) : matching
  return { results: sorted, unmet }
}

/** The URL of a result proves its site, unless it is a redirect of the provider. */
function isOnSites({ url }: ProviderResult, { query }: ProviderRequest, base: string): boolean {
  if (base !== '' && URL.parse(url)?.host === URL.parse(base)?.host) return true
  const isSite = (clause: Clause) =>
    clause.terms.every((term) => term.kind === 'operator' && term.name === 'site')
  return accepts({ clauses: query.clauses.filter(isSite) }, { url })
}

function toResultFields({ url, title, imageWidth, imageHeight }: ProviderResult) {
  return {
    ...{ url, title },
    ...(imageWidth === undefined ? {} : { imageWidth }),
    ...(imageHeight === undefined ? {} : { imageHeight }),
  }
}

/** False for a result without a date, whose time is unknown. */
function isWithin(publishedAt: number | undefined, { range: { from, to } }: ProviderRequest): boolean {
  if (publishedAt === undefined) return false
  return publishedAt >= (from ?? publishedAt) && publishedAt <= (to ?? publishedAt)
}

const newestFirst = (one: ProviderResult, other: ProviderResult) =>
  (other.publishedAt ?? 0) - (one.publishedAt ?? 0)

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
  const words = terms.map((term) => {
    if (term.kind === 'phrase') return `"${term.text}"`
    return term.kind === 'word' ? term.text : ''
  })
  return `${isExcluded ? '-' : ''}${words.filter((word) => word !== '').join(' OR ')}`
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
  // The sort is stable, so results of the first list precede others with equal scores.
  const sorted = [...merged.values()].sort((one, other) => other.score - one.score)
  return sorted.slice(0, limit).map(({ result }) => result)
}
