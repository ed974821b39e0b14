import type { TimeRange } from '../query/time-range.ts'
import {
  type ProviderCall,
  type ProviderEndpoint,
  ProviderFailure,
  type ProviderProblem,
  type ProviderResponse,
} from './provider.ts'
import { toRetryDelay } from './read-response.ts'

/** The path is appended below the base, and parameters without a value are left out. */
export function buildCallUrl(
  { base }: ProviderEndpoint,
  path: string,
  parameters: Record<string, string | number | undefined> = {},
): URL {
  // Appended, not resolved, because an operator may run the service under a path of a host.
  const url = parseWebUrl(`${base.replace(/\/$/, '')}${path}`)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

export function getJson(...urlArguments: Parameters<typeof buildCallUrl>): ProviderCall {
  return { method: 'GET', url: buildCallUrl(...urlArguments), headers: { accept: 'application/json' } }
}

export function parseWebUrl(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new ProviderFailure('failed', 'The address of the search provider is not an http or https address')
}

export function requireKey({ key = '' }: ProviderEndpoint, name: string): string {
  if (key !== '') return key
  throw new ProviderFailure('unauthorized', `${name} needs a key`)
}

/** A truncated phrase loses its quotation mark. */
export function truncateQuery(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const space = text.lastIndexOf(' ', maxLength)
  const cut = text.slice(0, space > 0 ? space : maxLength)
  const quote = cut.split('"').length % 2 === 0 ? cut.lastIndexOf('"') : -1
  return quote < 0 ? cut : `${cut.slice(0, quote)}${cut.slice(quote + 1)}`
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const spans = { day: dayMs, week: 7 * dayMs, month: 31 * dayMs, year: 366 * dayMs }

/** Returns the smallest span back from now that covers the range. */
export function findRecentSpan({ from }: TimeRange, now: number): string | undefined {
  return from === undefined ? undefined : Object.entries(spans).find(([, ms]) => now - from <= ms)?.[0]
}

/** Returns `2025-03-31`; undefined for no date, and for a year outside 1 to 9999. */
export function isoDay(time: number | undefined): string | undefined {
  if (time === undefined) return undefined
  const year = new Date(time).getUTCFullYear()
  return year >= 1 && year <= 9999 ? dayOf(time) : undefined
}

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

function slashedDay(time: number | undefined): string | undefined {
  const [year, month, date] = isoDay(time)?.split('-') ?? []
  return year === undefined ? undefined : `${month}/${date}/${year}`
}

export const daysSince = (from: number, now: number) => Math.max(1, Math.ceil((now - from) / dayMs))

/** Returns the `tbs` parameter of Google. Short ranges use hours, because dates would extend them to full days. */
export function googleTbs({ from, to, isNewestFirst }: TimeRange, now: number): string | undefined {
  const parts: string[] = []
  const [first, last] = [slashedDay(from), slashedDay(to)]
  if (from !== undefined && to === undefined && now - from <= 2 * dayMs) {
    parts.push(`qdr:h${Math.max(1, Math.ceil((now - from) / hourMs))}`)
  } else if (first !== undefined || last !== undefined) {
    parts.push('cdr:1')
    if (first !== undefined) parts.push(`cd_min:${first}`)
    if (last !== undefined) parts.push(`cd_max:${last}`)
  }
  if (isNewestFirst) parts.push('sbd:1')
  return parts.length === 0 ? undefined : parts.join(',')
}

/** Some services respond with 403 instead of 429: their headers and text distinguish it from a rejection. */
export function throwIfRateLimited(response: ProviderResponse, name: string, now: number): void {
  const { status, headers, body } = response
  if (status !== 403 && status !== 429) return
  const isStated = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined
  if (status === 403 && !isStated && !/rate limit|too many requests/i.test(body.slice(0, 2000))) return
  const reason = `${name} answered ${status}: too many requests`
  const isForAll = status === 429 || isStated
  throw new ProviderFailure('rate-limited', reason, { retryAfter: parseRetryDelay(headers, now), isForAll })
}

function parseRetryDelay(headers: Record<string, string>, now: number): number | undefined {
  const after = Number.parseInt(headers['retry-after'] ?? '', 10)
  const reset = Number.parseInt(headers['x-ratelimit-reset'] ?? '', 10)
  // Some services send the reset in seconds since 1970, others in seconds from now.
  const wait = Number.isNaN(after) ? (reset > 1e9 ? reset - now / 1000 : reset) : after
  return toRetryDelay(wait)
}

/** A rejection whose meaning differs from the usual meaning of its status. */
interface KnownRefusal {
  status: number
  /** Text in the body, if the status alone is ambiguous. */
  bodyText?: string
  problem: ProviderProblem
  message: string
}

export function throwKnownError({ status, body }: ProviderResponse, refusals: readonly KnownRefusal[]): void {
  for (const { status: expectedStatus, bodyText = '', problem, message } of refusals) {
    if (status !== expectedStatus || !body.slice(0, 10_000).includes(bodyText)) continue
    throw new ProviderFailure(problem, message, { isForAll: bodyText === '' && problem === 'rate-limited' })
  }
}
