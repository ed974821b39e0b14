import type { TimeRange } from '../query/time-range.ts'
import {
  type ProviderAnswer,
  type ProviderCall,
  ProviderFailure,
  type ProviderPlace,
  type ProviderProblem,
} from './provider.ts'

/** The address of a call: a path below the base, and the parameters that have a value. */
export function buildCallUrl(
  { base }: ProviderPlace,
  path: string,
  parameters: Record<string, string | number | undefined> = {},
): URL {
  // Appended, not resolved: an operator may have put the service under a path of a host.
  const url = webAddress(`${base.replace(/\/$/, '')}${path}`)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** A request for JSON. */
export function getJson(...address: Parameters<typeof buildCallUrl>): ProviderCall {
  return { method: 'GET', url: buildCallUrl(...address), headers: { accept: 'application/json' } }
}

/** Throws where the operator's address is none. */
export function webAddress(address: string): URL {
  const url = URL.parse(address)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new ProviderFailure('failed', 'The address of the search provider is not an http or https address')
}

export function requireKey({ key = '' }: ProviderPlace, name: string): string {
  if (key !== '') return key
  throw new ProviderFailure('unauthorized', `${name} needs a key`)
}

/** The words of a query that fit into as many characters; a phrase that is cut loses its quote. */
export function truncateQuery(text: string, most: number): string {
  if (text.length <= most) return text
  const space = text.lastIndexOf(' ', most)
  const cut = text.slice(0, space > 0 ? space : most)
  const quote = cut.split('"').length % 2 === 0 ? cut.lastIndexOf('"') : -1
  return quote < 0 ? cut : `${cut.slice(0, quote)}${cut.slice(quote + 1)}`
}

const hour = 3_600_000
const day = 24 * hour
const spans = { day, week: 7 * day, month: 31 * day, year: 366 * day }
type Span = keyof typeof spans

/** The smallest of the last spans that covers the range; undefined where none does or nothing is asked for. */
export function recentSpan<Known extends Span>(
  { from }: TimeRange,
  now: number,
  known: readonly Known[],
): Known | undefined {
  if (from === undefined) return undefined
  return known.toSorted((one, other) => spans[one] - spans[other]).find((span) => now - from <= spans[span])
}

/** Returns `2025-03-31`; undefined for no date, and for a moment that no calendar holds. */
export function isoDay(at: number | undefined): string | undefined {
  if (at === undefined) return undefined
  const year = new Date(at).getUTCFullYear()
  return year >= 1 && year <= 9999 ? dayOf(at) : undefined
}

/** A day in a query; the year may have more than four digits. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** `03/31/2025`, as Google writes dates. */
function slashedDay(at: number | undefined): string | undefined {
  const [year, month, date] = isoDay(at)?.split('-') ?? []
  return year === undefined ? undefined : `${month}/${date}/${year}`
}

/** How many whole days reach back to a moment; at least one. */
export function daysSince(from: number, now: number): number {
  return Math.max(1, Math.ceil((now - from) / day))
}

/** `tbs` of Google. Hours are kept where the range is short: dates would widen it to whole days. */
export function googleTbs({ from, to, isNewestFirst }: TimeRange, now: number): string | undefined {
  const parts: string[] = []
  const [first, last] = [slashedDay(from), slashedDay(to)]
  if (from !== undefined && to === undefined && now - from <= 2 * day) {
    parts.push(`qdr:h${Math.max(1, Math.ceil((now - from) / hour))}`)
  } else if (first !== undefined || last !== undefined) {
    parts.push('cdr:1')
    if (first !== undefined) parts.push(`cd_min:${first}`)
    if (last !== undefined) parts.push(`cd_max:${last}`)
  }
  if (isNewestFirst) parts.push('sbd:1')
  return parts.length === 0 ? undefined : parts.join(',')
}

const longestWait = 3_600_000

/** For services that say 403 where they mean 429: their headers and words tell it from a refusal. */
export function throwIfRateLimited(answer: ProviderAnswer, name: string, now: number): void {
  const { status, headers, body } = answer
  if (status !== 403 && status !== 429) return
  const isSaid = headers['x-ratelimit-remaining'] === '0' || headers['retry-after'] !== undefined
  if (status === 403 && !isSaid && !/rate limit|too many requests/i.test(body.slice(0, 2000))) return
  const reason = `${name} answered ${status}: too many requests`
  const isForAll = status === 429 || isSaid
  throw new ProviderFailure('rate-limited', reason, { retryAfter: waitOf(headers, now), isForAll })
}

function waitOf(headers: Record<string, string>, now: number): number | undefined {
  const after = Number.parseInt(headers['retry-after'] ?? '', 10)
  const reset = Number.parseInt(headers['x-ratelimit-reset'] ?? '', 10)
  // The reset is a moment in seconds since 1970 for some, and seconds from now for others.
  const wait = Number.isNaN(after) ? (reset > 1e9 ? reset - now / 1000 : reset) : after
  return wait >= 0 ? Math.min(wait * 1000, longestWait) : undefined
}

/** A refusal that means something else than its status usually does. */
export interface KnownRefusal {
  status: number
  /** What its body holds, where the status alone does not tell. */
  says?: string
  problem: ProviderProblem
  message: string
}

/** Throws the first that fits; what fits none is left to the status. */
export function throwKnownError({ status, body }: ProviderAnswer, refusals: readonly KnownRefusal[]): void {
  for (const { status: known, says = '', problem, message } of refusals) {
    if (status !== known || !body.slice(0, 10_000).includes(says)) continue
    throw new ProviderFailure(problem, message, { isForAll: says === '' && problem === 'rate-limited' })
  }
}
