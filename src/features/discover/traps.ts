import { hashRoute } from '../../base/hash-route.ts'

/** Why an address leads nowhere a reader would want to go; undefined where nothing says so. */
export function trapOf(url: URL, now: number): string | undefined {
  if (url.href.length > longestAddress) return 'too long'
  const route = hashRoute(url) ?? ''
  const segments = `${url.pathname}/${route}`.split('/').filter((segment) => segment !== '')
  if (segments.length > deepestPath) return 'too deep'
  if (repeatsItself(segments)) return 'repeats itself'
  if (url.search !== '' && countParameters(url.search) > mostParameters) return 'too many parameters'
  return isFarDate(segments, url.searchParams, new Date(now)) ? 'calendar' : undefined
}

const longestAddress = 2000
const deepestPath = 24
const mostParameters = 10
const mostRepeats = 3

/** A relative link on an error page makes paths that grow with every step: /a/b/a/b/a/b. */
function repeatsItself(segments: string[]): boolean {
  if (segments.length <= mostRepeats) return false
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count > mostRepeats) return true
    counts.set(segment, count)
  }
  return false
}

function countParameters(search: string): number {
  let count = 1
  for (const character of search) if (character === '&') count += 1
  return count
}

/**
 * A calendar has a page for every month of every year. Where a date stands alone, without the name of something that
 * happened on it, months are followed for some years around today and days for fewer.
 */
function isFarDate(segments: string[], query: URLSearchParams, today: Date): boolean {
  const date = dateInPath(segments) ?? dateInQuery(query)
  if (!date) return false
  const distance = date.year - today.getUTCFullYear()
  return date.hasDay ? Math.abs(distance) > 2 : distance > 2 || distance < -25
}

interface FoundDate {
  year: number
  hasDay: boolean
}

function dateInPath(segments: string[]): FoundDate | undefined {
  const last = segments.slice(-3).join('/')
  const written = /(?:^|\/)(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?$/.exec(last)
  if (!written || Number(written[2]) > 12) return undefined
  return { year: Number(written[1]), hasDay: written[3] !== undefined }
}

function dateInQuery(query: URLSearchParams): FoundDate | undefined {
  for (const [name, value] of query) {
    if (!/^(?:date|day|month|year|week|from|start|cal|calendar|tribe-bar-date|ical)/i.test(name)) continue
    const written = /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?$/.exec(value)
    if (written) return { year: Number(written[1]), hasDay: written[3] !== undefined }
  }
  return undefined
}
