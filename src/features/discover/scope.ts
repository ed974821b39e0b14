import { getDomain } from 'tldts'
import { hashRoute } from '../../platform/url.ts'
import type { Patterns } from './patterns.ts'

export function detectCrawlerTrap(url: URL, now: number): string | undefined {
  if (url.href.length > maxUrlLength) return 'too long'
  const route = hashRoute(url) ?? ''
  const segments = `${url.pathname}/${route}`.split('/').filter((segment) => segment !== '')
  if (segments.length > maxPathSegments) return 'too deep'
  if (hasRepeatedSegment(segments)) return 'repeats itself'
  if (url.search !== '' && url.search.split('&').length > maxParameters) return 'too many parameters'
  return isFarDate(segments, url.searchParams, new Date(now)) ? 'calendar' : undefined
}

const maxUrlLength = 2000
const maxPathSegments = 24
const maxParameters = 10
const maxRepeats = 3

/** A relative link on an error page creates paths that grow with every step: /a/b/a/b/a/b. */
function hasRepeatedSegment(segments: string[]): boolean {
  if (segments.length <= maxRepeats) return false
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count > maxRepeats) return true
    counts.set(segment, count)
  }
  return false
}

/** A calendar has a page for every month of every year. A month may be 25 years ago, a day only 2 years. */
function isFarDate(segments: string[], query: URLSearchParams, today: Date): boolean {
  const date = dateInPath(segments) ?? dateInQuery(query)
  if (!date) return false
  const distance = date.year - today.getUTCFullYear()
  return date.hasDay ? Math.abs(distance) > 2 : distance > 2 || distance < -25
}

interface ParsedDate {
  year: number
  hasDay: boolean
}

function dateInPath(segments: string[]): ParsedDate | undefined {
  const last = segments.slice(-3).join('/')
  const match = /(?:^|\/)(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?$/.exec(last)
  if (!match || Number(match[2]) > 12) return undefined
  return { year: Number(match[1]), hasDay: match[3] !== undefined }
}

function dateInQuery(query: URLSearchParams): ParsedDate | undefined {
  for (const [name, value] of query) {
    if (!/^(?:date|day|month|year|week|from|start|cal|calendar|tribe-bar-date|ical)/i.test(name)) continue
    const match = /^(\d{4})(?:-?(\d{2})(?:-?(\d{2}))?)?$/.exec(value)
    if (match) return { year: Number(match[1]), hasDay: match[3] !== undefined }
  }
  return undefined
}

export interface ScopeOptions {
  entireDomain: boolean
  subdomains: boolean
  /** True if pages of other sites that the site links to belong to the scope. Their links are not followed. */
  external: boolean
  patterns?: Patterns
  now: number
}

/** Reasons for skipping a URL. They are returned to the caller unchanged. */
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

type ScopeDecision = { belongs: true; isExternal: boolean } | { belongs: false; reason: SkipReason }

export type Scope = (url: URL) => ScopeDecision

export function createScope(start: URL, options: ScopeOptions): Scope {
  const host = siteHost(start)
  const domain = getDomainName(start.hostname)
  const folder = startFolder(start.pathname)

  function decide(url: URL): ScopeDecision {
    if (siteHost(url) === host) {
      const isBelow = options.entireDomain || isInside(url.pathname, folder)
      return isBelow
        ? { belongs: true, isExternal: false }
        : { belongs: false, reason: 'outside the start path' }
    }
    if (domain !== undefined && getDomainName(url.hostname) === domain) {
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
    const decision = decide(url)
    if (!decision.belongs) return decision
    if (isFile(url.pathname)) return { belongs: false, reason: 'file' }
    if (detectCrawlerTrap(url, options.now) !== undefined) return { belongs: false, reason: 'trap' }
    const excludedBy = options.patterns?.exclusionReason(url)
    return excludedBy === undefined ? decision : { belongs: false, reason: excludedBy }
  }
}

/** Undefined for the same host. The start path limits the scope if the final URL is inside its folder. */
export function redirectedBase(start: URL, finalUrl: URL): URL | undefined {
  if (finalUrl.host === start.host) return undefined
  const base = new URL(finalUrl)
  base.search = ''
  base.hash = ''
  if (isInside(finalUrl.pathname, startFolder(start.pathname))) base.pathname = start.pathname
  return base
}

const siteHost = (url: URL) => url.host.replace(/^www\./, '')

const getDomainName = (hostname: string) => getDomain(hostname, { allowPrivateDomains: true }) ?? undefined

const startFolder = (path: string) => path.replace(/\/(?:index|default)\.\w{2,5}$/i, '/')

function isInside(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return path === folder.replace(/\/$/, '')
  return folder.endsWith('/') || path.length === folder.length || path[folder.length] === '/'
}

/** Documents are not included, because they can be parsed. */
function isFile(path: string): boolean {
  const extension = /\.([a-z0-9]{1,12})$/i.exec(path)?.[1]?.toLowerCase()
  return extension !== undefined && ignoredExtensions.has(extension)
}

const ignoredExtensions = new Set(
  [
    'png jpg jpeg gif webp avif svg ico bmp tif tiff heic psd eps',
    'css js mjs map woff woff2 ttf otf eot wasm',
    'mp3 mp4 m4a m4v ogg oga ogv wav flac webm mov avi mkv wmv m3u8',
    'zip gz tgz bz2 xz 7z rar tar zst jar war iso dmg exe msi apk',
    'deb rpm pkg bin dll so img torrent sqlite parquet ics vcf swf',
  ].flatMap((line) => line.split(' ')),
)
