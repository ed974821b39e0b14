import type { Query } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import type { Dialect } from '../query/write-query.ts'

export type SearchSource = 'web' | 'images' | 'news'
export type SearchCategory = 'github' | 'research' | 'pdf'

/** What is asked of a provider: one source, or one category of the web. */
export interface ProviderRequest {
  source: SearchSource
  category?: SearchCategory
  query: Query
  range: TimeRange
  /** ISO 3166 code in upper case. */
  country?: string
  /** Nobody asked for the country, so that it is no loss where a provider does not know it. */
  isCountryAssumed?: boolean
  /** A place in words: `Austin,Texas,United States`. */
  location?: string
  /** ISO 639 code in lower case. */
  language?: string
  /** Whether explicit results are left out. */
  isSafe?: boolean
  most: number
  /** The present, in milliseconds since 1970. */
  now: number
}

/** A result as a provider gives it; what it does not say is absent. */
export interface ProviderResult {
  url: string
  title: string
  text: string
  /** In milliseconds since 1970. */
  publishedAt?: number
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
}

/** One request over HTTP. */
export interface ProviderCall {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
}

export interface ProviderAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Why a provider has no results to give. `changed`: it answers in a shape that is not known here; `blocked`: it wants
 * proof of a human or refuses this address; `refused`: it refuses this query, and answers others.
 */
export type ProviderProblem = 'unauthorized' | 'rate-limited' | 'blocked' | 'changed' | 'failed' | 'refused'

export class ProviderFailure extends Error {
  readonly problem: ProviderProblem
  /** The cause without any text of the provider, which may quote the query: also shown to other teams. */
  readonly reason: string
  /** When it may be asked again, in milliseconds from now, where it says so. */
  readonly retryAfter: number | undefined
  /** True if it says for certain that it refuses the requests of every team. */
  readonly isForAll: boolean
  constructor(problem: ProviderProblem, reason: string, details: FailureDetails = {}) {
    const { said = '', retryAfter, isForAll = false } = details
    super(said === '' ? reason : `${reason}: ${said.slice(0, 200)}`)
    this.problem = problem
    this.reason = reason
    this.retryAfter = retryAfter
    this.isForAll = isForAll
  }
}

export interface FailureDetails {
  /** What the provider answered; only the caller whose request it answered sees it. */
  said?: string
  retryAfter?: number | undefined
  /** Not by words of an answer, which may be those of the query. */
  isForAll?: boolean
}

/** What a provider does by itself; the rest is done to its results, or named in a warning. */
interface ProviderAbilities {
  dialect: Dialect
  /** Which time ranges it knows: any, the last hour to year, or none. */
  dates: 'any' | 'recent' | 'none'
  sortsByDate: boolean
  country: boolean
  language: boolean
  location: boolean
}

/** A service that searches. Pure: it says how to ask and reads what comes back; asking is done in one place. */
export interface SearchProvider {
  name: string
  /** One sentence for the documentation: what it searches and whose service it is. */
  description: string
  /** Where it is reached unless the operator says otherwise; empty where it has no address of its own. */
  base: string
  /** What the operator has to give before it can be asked. */
  requires: 'nothing' | 'key' | 'address'
  /** What it can be asked for: a source, or a category of the web. */
  serves: readonly (SearchSource | SearchCategory)[]
  abilities: ProviderAbilities
  /** The least time between two requests, as its operator asks for. */
  pauseMs: number
  /** The most results that one request gives. */
  maxResults: number
  call(request: ProviderRequest, place: ProviderPlace): ProviderCall
  /** Throws a {@link ProviderFailure} for everything but results; an empty list says that there are none. */
  read(answer: ProviderAnswer, request: ProviderRequest): ProviderResult[]
}

/** Where a provider is reached, and by which key. */
export interface ProviderPlace {
  base: string
  key?: string
}
