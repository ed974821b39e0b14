import type { TimeRange } from '../query/time-range.ts'

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
  const date = new Date(at)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 10) : undefined
}

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
