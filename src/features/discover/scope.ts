import { getDomain } from 'tldts'
import { hashRoute } from '../../platform/url.ts'
import type { Patterns } from './patterns.ts'

/** Why an address leads nowhere a reader would want to go; undefined where nothing says so. */
export function detectCrawlerTrap(url: URL, now: number): string | undefined {
  if (url.href.length > longestAddress) return 'too long'
  const route = hashRoute(url) ?? ''
  const segments = `${url.pathname}/${route}`.split('/').filter((segment) => segment !== '')
  if (segments.length > deepestPath) return 'too deep'
  if (repeatsItself(segments)) return 'repeats itself'
  if (url.search !== '' && countParameters(url.search) > maxParameters) return 'too many parameters'
  return isFarDate(segments, url.searchParams, new Date(now)) ? 'calendar' : undefined
}

const longestAddress = 2000
const deepestPath = 24
const maxParameters = 10
const maxRepeats = 3

/** A relative link on an error page makes paths that grow with every step: /a/b/a/b/a/b. */
function repeatsItself(segments: string[]): boolean {
  if (segments.length <= maxRepeats) return false
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count > maxRepeats) return true
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

export interface ScopeOptions {
  /** Pages beside and above the start page belong too. */
  entireDomain: boolean
  subdomains: boolean
  /** Pages of other sites that the site links to belong, but nothing behind them. */
  external: boolean
  /** Undefined: all. */
  patterns?: Patterns
  now: number
}

/** Why an address is left out. Shown to the caller as it stands. */
export const skipReasons = [
  'not http',
  'file',
  'trap',
  'other site',
  'other subdomain',
  'outside the start path',
  'home page of another site',
  'include paths',
  'exclude paths',
  'query parameters',
  'robots.txt',
  'limit',
  'duplicate',
  'cancelled',
  'credits',
  'deadline',
] as const
export type SkipReason = (typeof skipReasons)[number]

type ScopeDecision =
  | { belongs: true; isExternal: boolean }
  | { belongs: false; reason: SkipReason; note?: string }

export type Scope = (url: URL) => ScopeDecision

/** Which addresses belong to a crawl or a map that starts here. Pure. */
export function createScope(start: URL, options: ScopeOptions): Scope {
  const home = siteHost(start)
  const domain = domainOf(start.hostname)
  const folder = startFolder(start.pathname)

  function place(url: URL): ScopeDecision {
    if (siteHost(url) === home) {
      const isBelow = options.entireDomain || isInside(url.pathname, folder)
      return isBelow
        ? { belongs: true, isExternal: false }
        : { belongs: false, reason: 'outside the start path' }
    }
    if (domain !== undefined && domainOf(url.hostname) === domain) {
      if (options.subdomains) return { belongs: true, isExternal: false }
      if (!options.external) return { belongs: false, reason: 'other subdomain' }
    }
    if (!options.external) return { belongs: false, reason: 'other site' }
    return url.pathname === '/' && url.search === ''
      ? { belongs: false, reason: 'home page of another site' }
      : { belongs: true, isExternal: true }
  }

  return (url) => {
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return { belongs: false, reason: 'not http' }
    const placed = place(url)
    if (!placed.belongs) return placed
    if (isFile(url.pathname)) return { belongs: false, reason: 'file' }
    const trap = detectCrawlerTrap(url, options.now)
    if (trap !== undefined) return { belongs: false, reason: 'trap', note: trap }
    const refused = options.patterns?.refuses(url)
    return refused === undefined ? placed : { belongs: false, reason: refused }
  }
}

/**
 * Where a crawl or a map goes on whose start leads to another host: there. The path of the start bounds it where it is
 * found there too. Undefined: the start leads nowhere else.
 */
export function redirectedBase(start: URL, landed: URL): URL | undefined {
  if (landed.host === start.host) return undefined
  const home = new URL(landed)
  home.search = ''
  home.hash = ''
  if (isInside(landed.pathname, startFolder(start.pathname))) home.pathname = start.pathname
  return home
}

/** One site, whether it writes www or not. */
function siteHost(url: URL): string {
  return url.host.replace(/^www\./, '')
}

/** The part of a name that somebody registered; undefined for addresses and names that nobody can register. */
function domainOf(hostname: string): string | undefined {
  return getDomain(hostname, { allowPrivateDomains: true }) ?? undefined
}

/** An index file stands for its folder. */
function startFolder(path: string): string {
  return path.replace(/\/(?:index|default)\.\w{2,5}$/i, '/')
}

function isInside(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return path === folder.replace(/\/$/, '')
  return folder.endsWith('/') || path.length === folder.length || path[folder.length] === '/'
}

/** Files that hold no text of the site. Documents stay, since they may be read. */
function isFile(path: string): boolean {
  const extension = /\.([a-z0-9]{1,12})$/i.exec(path)?.[1]?.toLowerCase()
  return extension !== undefined && files.has(extension)
}

const files = new Set(
  [
    'png jpg jpeg gif webp avif svg ico bmp tif tiff heic psd eps',
    'css js mjs map woff woff2 ttf otf eot wasm',
    'mp3 mp4 m4a m4v ogg oga ogv wav flac webm mov avi mkv wmv m3u8',
    'zip gz tgz bz2 xz 7z rar tar zst jar war iso dmg exe msi apk',
    'deb rpm pkg bin dll so img torrent sqlite parquet ics vcf swf',
  ].flatMap((line) => line.split(' ')),
)
