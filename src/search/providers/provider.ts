import type { Query } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import type { Dialect } from '../query/write-query.ts'

export type SearchSource = 'web' | 'images' | 'news'
export type SearchCategory = 'github' | 'research' | 'pdf'

export interface ProviderRequest {
  source: SearchSource
  category?: SearchCategory
  query: Query
  range: TimeRange
  country?: string
  /** The caller did not request the country, so a provider that does not support it may ignore it. */
  isCountryAssumed?: boolean
  location?: string
  language?: string
  isSafe?: boolean
  limit: number
  now: number
}

export interface ProviderResult {
  url: string
  title: string
  text: string
  publishedAt?: number
  imageUrl?: string
  imageWidth?: number
  imageHeight?: number
}

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
 * `changed`: the response has an unknown shape; `blocked`: it requires proof of a human or rejects this IP address;
 * `refused`: it rejects this query, and accepts others.
 */
export type ProviderProblem = 'unauthorized' | 'rate-limited' | 'blocked' | 'changed' | 'failed' | 'refused'

export class ProviderFailure extends Error {
  readonly problem: ProviderProblem
  /** Cause without any text of the provider, which may quote the query. Other teams see it too. */
  readonly reason: string
  readonly retryAfter: number | undefined
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

interface FailureDetails {
  /** Only the caller of the request sees it. */
  responseText?: string
  retryAfter?: number | undefined
  /** True if every team is affected. Not derived from the text of a response, which may quote the query. */
  isForAll?: boolean
}

/** A search service. Pure: it builds requests and parses responses; `provider-caller.ts` sends them. */
export interface SearchProvider {
  name: string
  /** One sentence for the documentation: content that it searches, and owner of the service. */
  description: string
  /** Base URL unless the operator sets one. */
  base: string
  requires: 'nothing' | 'key' | 'address'
  serves: readonly (SearchSource | SearchCategory)[]
  /** Unsupported features are applied to its results, or named in a warning. */
  abilities: {
    dialect: Dialect
    /** `recent`: back from now. */
    dates: 'any' | 'recent' | 'none'
    sortsByDate?: boolean
    country?: boolean
    language?: boolean
    location?: boolean
  }
  /** The operator of the service requires this time between two requests. */
  pauseMs: number
  maxResults: number
  call(request: ProviderRequest, endpoint: ProviderEndpoint): ProviderCall
  /** Throws a {@link ProviderFailure} for any response that is not a list of results, which may be empty. */
  read(response: ProviderResponse, request: ProviderRequest): ProviderResult[]
}

export interface ProviderEndpoint {
  base: string
  key?: string | undefined
}
