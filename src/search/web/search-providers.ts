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
  /** Who answered. */
  by: string[]
  /** Who could not answer, and why. */
  failures: string[]
  unmet: string[]
}

/** The first provider that answers is enough for the open web; an empty answer is one. */
export async function queryFirstThatAnswers(
  asking: ProviderCaller,
  providers: readonly ConfiguredProvider[],
  request: ProviderRequest,
  asker: ProviderRequester,
): Promise<WebResponse> {
  const failures: string[] = []
  for (const asked of providers) {
    const answer = await askOne(asking, asked, request, asker)
    if (!('failure' in answer)) return { ...answer, by: [asked.provider.name], failures }
    failures.push(answer.failure)
  }
  return { results: [], by: [], failures, unmet: [] }
}

/** Providers that know different things are asked together, and their results become one list. */
export async function queryAll(
  asking: ProviderCaller,
  providers: readonly ConfiguredProvider[],
  request: ProviderRequest,
  asker: ProviderRequester,
): Promise<WebResponse> {
  const answers = await Promise.all(providers.map((asked) => askOne(asking, asked, request, asker)))
  const given = answers.flatMap((answer, index) =>
    'failure' in answer ? [] : [{ ...answer, name: providers[index]?.provider.name ?? '' }],
  )
  return {
    results: mergeResults(
      given.map(({ results }) => results),
      request.most,
    ),
    by: given.map(({ name }) => name),
    failures: answers.flatMap((answer) => ('failure' in answer ? [answer.failure] : [])),
    unmet: [...new Set(given.flatMap(({ unmet }) => unmet))],
  }
}

async function askOne(
  asking: ProviderCaller,
  asked: ConfiguredProvider,
  request: ProviderRequest,
  asker: ProviderRequester,
): Promise<{ results: ProviderResult[]; unmet: string[] } | { failure: string }> {
  try {
    const { results, unmet } = fitResults(asked.provider, request, await asking.ask(asked, request, asker))
    return { results: results.slice(0, request.most), unmet }
  } catch (thrown) {
    if (thrown instanceof ProviderFailure) return { failure: thrown.message }
    throw thrown
  }
}

interface FittedResults {
  results: ProviderResult[]
  /** What was asked for and neither the provider nor what it says of its results can tell. */
  unmet: string[]
}

/** Leaves those results that hold to what a provider does not understand itself. */
function fitResults(
  { name, abilities, base }: SearchProvider,
  request: ProviderRequest,
  results: readonly ProviderResult[],
): FittedResults {
  const { left } = writeQuery(request.query, abilities.dialect)
  const { from, to } = request.range
  const isDated = from !== undefined || to !== undefined
  const filtersDates = isDated && !knowsRange(abilities.dates, request)
  const unmet = unmetBy(name, abilities, request, left)
  const fitting = results.filter((result) => {
    if (filtersDates && !isWithin(result.publishedAt, request)) return false
    return accepts({ clauses: left }, foundOf(result)) && isOnSites(result, request, base)
  })
  if (filtersDates && results.some(({ publishedAt }) => publishedAt === undefined))
    unmet.push(`${name} does not date all of its results; those without a date were left out`)
  const hasSize = left.some(({ terms }) => terms.some(({ kind }) => kind === 'size'))
  if (hasSize && results.some(({ imageWidth }) => imageWidth === undefined))
    unmet.push(`${name} does not say the size of all images; those without one were left out`)
  const sorted =
    request.range.isNewestFirst && !abilities.sortsByDate ? fitting.toSorted(newestFirst) : fitting
  return { results: sorted, unmet }
}

/**
 * An address says for certain which site it is on, so that nobody has to be believed. Links that lead through the provider do
 * not show it.
 */
function isOnSites({ url }: ProviderResult, { query }: ProviderRequest, base: string): boolean {
  if (base !== '' && URL.parse(url)?.host === URL.parse(base)?.host) return true
  const isSite = (clause: Clause) =>
    clause.terms.every((term) => term.kind === 'operator' && term.name === 'site')
  return accepts({ clauses: query.clauses.filter(isSite) }, { url })
}

function foundOf({ url, title, imageWidth, imageHeight }: ProviderResult) {
  return {
    ...{ url, title },
    ...(imageWidth === undefined ? {} : { imageWidth }),
    ...(imageHeight === undefined ? {} : { imageHeight }),
  }
}

/** A provider of recent spans knows ranges that reach to the present. */
function knowsRange(dates: SearchProvider['abilities']['dates'], { range }: ProviderRequest): boolean {
  return dates === 'any' || (dates === 'recent' && range.to === undefined)
}

/** A result without a date is not known to be from that time. */
function isWithin(publishedAt: number | undefined, { range: { from, to } }: ProviderRequest): boolean {
  if (publishedAt === undefined) return false
  return publishedAt >= (from ?? publishedAt) && publishedAt <= (to ?? publishedAt)
}

const newestFirst = (one: ProviderResult, other: ProviderResult) =>
  (other.publishedAt ?? 0) - (one.publishedAt ?? 0)

function unmetBy(
  name: string,
  abilities: SearchProvider['abilities'],
  request: ProviderRequest,
  left: Clause[],
): string[] {
  const unmet: string[] = []
  if (request.country !== undefined && !request.isCountryAssumed && !abilities.country)
    unmet.push(`${name} has no results by country`)
  if (request.location !== undefined && !abilities.location) unmet.push(`${name} has no results by location`)
  if (request.language !== undefined && !abilities.language) unmet.push(`${name} has no results by language`)
  const isRelated = (clause: Clause) =>
    clause.terms.some((term) => term.kind === 'operator' && term.name === 'related')
  if (left.some(isRelated)) unmet.push(`${name} does not know related:`)
  for (const clause of left)
    if (isFilter(clause) && clause.terms.some(({ kind }) => kind === 'phrase' || kind === 'word'))
      unmet.push(`${name} does not search for ${shown(clause)}; its results may not hold to it`)
  return unmet
}

function shown({ terms, isExcluded }: Clause): string {
  const words = terms.map((term) => {
    if (term.kind === 'phrase') return `"${term.text}"`
    return term.kind === 'word' ? term.text : ''
  })
  return `${isExcluded ? '-' : ''}${words.filter((word) => word !== '').join(' OR ')}`
}

/** Lists of results from the best to the worst → one list without repetitions: high in several is higher (RRF). */
export function mergeResults<Result extends { url: string }>(
  lists: readonly (readonly Result[])[],
  most: number,
  keyOf: (result: Result) => string = ({ url }) => pageKey(url),
): Result[] {
  const merged = new Map<string, { result: Result; score: number }>()
  for (const list of lists)
    for (const [place, result] of list.entries()) {
      const key = keyOf(result)
      const known = merged.get(key)
      const score = 1 / (60 + place)
      if (known) known.score += score
      else merged.set(key, { result, score })
    }
  // Sorting keeps the order of equals, so that the first list comes first.
  const sorted = [...merged.values()].sort((one, other) => other.score - one.score)
  return sorted.slice(0, most).map(({ result }) => result)
}
