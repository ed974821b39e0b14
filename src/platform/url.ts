import { isIP } from 'node:net'
import { AppError } from './errors.ts'
import { splitOnce } from './text.ts'

/**
 * A URL as a caller wrote it, made absolute: a missing scheme becomes http, only http and https pass, and the
 * host must be an address or contain a dot (or be localhost, which the network guard then checks).
 */
export function readUrl(text: string): URL {
  const trimmed = text.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
  const url = URL.parse(hasScheme ? trimmed : `http://${trimmed}`)
  if (!url) throw badUrl('it cannot be parsed')
  if (!hasScheme && /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed))
    throw badUrl('only http and https are supported')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw badUrl('only http and https are supported')
  if (!hasReadableCredentials(url))
    throw badUrl('its user name or password contains a % that does not start an escape such as %40')
  if (!isNamedHost(url.hostname)) throw badUrl('the host needs a top-level domain or must be an address')
  return url
}

export function isUrl(text: string): boolean {
  try {
    readUrl(text)
    return true
  } catch {
    return false
  }
}

/** False if the user name or password cannot be decoded, so that they cannot be sent. */
export function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** The parts of a URL that name the page: no fragment, unless a single-page site routes by it. */
export function pageUrl(url: URL): string {
  const copy = new URL(url)
  copy.hash = hashRoute(url) ?? ''
  copy.username = ''
  copy.password = ''
  return copy.href
}

function isNamedHost(hostname: string): boolean {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return isIP(bare) !== 0 || bare === 'localhost' || /[^.]\.[^.]/.test(bare)
}

function badUrl(reason: string): AppError {
  return new AppError('BAD_URL', {}, { message: `The URL is not valid: ${reason}.` })
}

/**
 * The page that a URL names in its fragment, as single-page sites do: "#/guide", "#!/guide". Undefined
 * if the fragment is an anchor, or names the first page, which also renders without it. Anchors within a route
 * are removed: "#/guide?id=section" and "#/guide#section" become "#/guide".
 */
export function hashRoute({ hash }: Pick<URL, 'hash'>): string | undefined {
  if (hash[1] !== '/' && hash[1] !== '!') return undefined
  const end = hash.indexOf('#', 1)
  const [path, query] = splitOnce(end < 0 ? hash : hash.slice(0, end), '?')
  const kept = query.split('&').filter((parameter) => parameter !== '' && !isPlace(parameter))
  if (kept.length === 0) return /^#!?\/*$/.test(path) ? undefined : path
  return `${path}?${kept.join('&')}`
}

/**
 * Docsify uses this parameter for headings, with an underscore before those that begin with a digit. So a plain number or a UUID
 * is the id of a record instead.
 */
function isPlace(parameter: string): boolean {
  return parameter.startsWith('id=') && !/^id=(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(parameter)
}

/** The number of path segments that decide the kind of page. */
const maxSegments = 4
const maxNames = 10

/**
 * The kind of page of a URL, by the first segments of its path: placeholders replace numbers and titles, and, below a
 * folder, also the name of the page.
 */
export function pathTemplate(url: URL): string {
  const segments = url.pathname.split('/').slice(1)
  const shown = segments.slice(0, maxSegments).map(anySegment)
  if (segments.length > maxSegments) shown.push('*')
  else if (segments.length > 1 && shown.at(-1) !== '') shown[shown.length - 1] = `*${extensionOf(segments)}`
  return `${url.host}/${shown.join('/')}?${parameterNames(url).slice(0, maxNames).join('&')}`
}

/** A path segment without the parts that differ between pages of one kind. */
export function anySegment(segment: string): string {
  return segment.length > 20 || /[-_]/.test(segment) ? '*' : segment.replaceAll(/\d+/g, '#')
}

export function parameterNames(url: URL): string[] {
  return [...new Set(url.searchParams.keys())].sort()
}

function extensionOf(segments: string[]): string {
  return /\.[a-z]{1,5}$/i.exec(segments.at(-1) ?? '')?.[0].toLowerCase() ?? ''
}

/**
 * Text in which no URL has a user name or a password. Whatever leaves the service for an operator's log or trace collector passes
 * through this: callers put credentials of sites into URLs, and these outlive the call there.
 */
export function withoutUserinfo(text: string): string {
  if (!text.includes('@')) return text
  // A password may contain spaces, which only a URL parser distinguishes from the end of the URL.
  const url = URL.parse(text)
  if (url !== null && (url.username !== '' || url.password !== '')) {
    url.username = ''
    url.password = ''
    return url.href
  }
  return text.replace(inUrl, '://').replace(withoutScheme, '')
}

/** No match of it contains a slash after the first ones, so the time grows with the length of the text only. */
const inUrl = /:[/\\]{2,}[^\s/\\?#]*@/g

/** `name:password@host`, which a caller may write instead of a URL. */
const withoutScheme = /^[^\s/\\?#@:]*:[^\s/\\?#]*@/
