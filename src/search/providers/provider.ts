import type { Query } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import type { Dialect } from '../query/write-query.ts'

export type SearchSource = 'web' | 'images' | 'news'
export type SearchCategory = 'github' | 'research' | 'pdf'

/** Request to a provider, for one source or one category of the web. */
export interface ProviderRequest {
  source: SearchSource
  category?: SearchCategory
  query: Query
  range: TimeRange
  /** ISO 3166 code in upper case. */
  country?: string
  /** True if the caller did not request the country, so a provider that does not support it may ignore it. */
  isCountryAssumed?: boolean
  /** Name of a location: `Austin,Texas,United States`. */
  location?: string
  /** ISO 639 code in lower case. */
  language?: string
  /** True if explicit results are excluded. */
  isSafe?: boolean
  limit: number
  /** Current time, in milliseconds since 1970. */
  now: number
}

/** A result as a provider returns it. Missing details are absent. */
export interface ProviderResult {
  url: string
  title: string
  text: string
  /** Time of publication, in milliseconds since 1970. */
  publishedAt?: number
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
}

/** One HTTP request. */
export interface ProviderCall {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  body?: string
}

export interface ProviderResponse {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Reason why a provider returns no results. `changed`: the response has an unknown shape; `blocked`: it requires proof
 * of a human or rejects this IP address; `refused`: it rejects this query, and accepts others.
 */
export type ProviderProblem = 'unauthorized' | 'rate-limited' | 'blocked' | 'changed' | 'failed' | 'refused'

export class ProviderFailure extends Error {
  readonly problem: ProviderProblem
  /** Cause without any text of the provider, which may quote the query. Other teams see it too. */
  readonly reason: string
  /** Time until a retry is allowed, in milliseconds from now, if the provider states it. */
  readonly retryAfter: number | undefined
  /** True if the provider certainly rejects the requests of every team. */
  readonly isForAll: boolean
  constructor(problem: ProviderProblem, reason: string, details: FailureDetails = {}) {
    const { responseText: text = '', retryAfter, isForAll = false } = details
    super(text === '' ? reason : `${reason}: ${text.slice(0, 200)}`)
    this.problem = problem
    this.reason = reason
    this.retryAfter = retryAfter
    this.isForAll = isForAll
  }
}

export interface FailureDetails {
  /** Text of the response. Only the caller of the request sees it. */
  responseText?: string
  retryAfter?: number | undefined
  /** True if every team is affected. Not derived from the text of a response, which may quote the query. */
  isForAll?: boolean
}

/** Features of a provider. Unsupported features are applied to its results, or named in a warning. */
interface ProviderAbilities {
  dialect: Dialect
  /** Supported time ranges: any, the last hour to year, or none. */
  dates: 'any' | 'recent' | 'none'
  sortsByDate: boolean
  country: boolean
  language: boolean
  location: boolean
}

/** A search service. Pure: it builds requests and parses responses; `provider-caller.ts` sends them. */
export interface SearchProvider {
  name: string
  /** One sentence for the documentation: content that it searches, and owner of the service. */
  description: string
  /** Base URL unless the operator sets one; empty if there is no default. */
  base: string
  /** Setting that the operator must provide. */
  requires: 'nothing' | 'key' | 'address'
  /** Supported sources, and categories of the web. */
  serves: readonly (SearchSource | SearchCategory)[]
  abilities: ProviderAbilities
  /** Minimum time between two requests that the operator of the service requires. */
  pauseMs: number
  /** Maximum results of one request. */
  maxResults: number
  call(request: ProviderRequest, endpoint: ProviderEndpoint): ProviderCall
  /**
   * Parses the results; an empty list means that there are none. Throws a {@link ProviderFailure} for any other
   * response.
   */
  read(response: ProviderResponse, request: ProviderRequest): ProviderResult[]
}

/** Base URL and key of a provider. */
export interface ProviderEndpoint {
  base: string
  key?: string
}
