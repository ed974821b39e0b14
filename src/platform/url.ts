import { isIP } from 'node:net'
import { AppError } from './errors.ts'
import { splitOnce } from './text.ts'

/** A missing scheme becomes http. The host may be localhost or an IP address; the network guard checks it. */
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

export function hasReadableCredentials({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}

/** Returns the text unchanged if its percent-encoding is not valid. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Removes the fragment unless it is a route of a single-page site. */
export function pageUrl(url: URL): string {
  const copy = new URL(url)
  copy.hash = hashRoute(url) ?? ''
  copy.username = ''
  copy.password = ''
  return copy.href
}

function isNamedHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) !== 0 || host === 'localhost' || /[^.]\.[^.]/.test(host)
}

function badUrl(reason: string): AppError {
  return new AppError('BAD_URL', {}, { message: `The URL is not valid: ${reason}.` })
}

/** Returns the route without anchors: "#/guide" for "#/guide#section"; undefined for the home page. */
export function hashRoute({ hash }: Pick<URL, 'hash'>): string | undefined {
  if (hash[1] !== '/' && hash[1] !== '!') return undefined
  const end = hash.indexOf('#', 1)
  const [path, query] = splitOnce(end < 0 ? hash : hash.slice(0, end), '?')
  const parameters = query.split('&').filter((parameter) => parameter !== '' && !isAnchorParameter(parameter))
  if (parameters.length === 0) return /^#!?\/*$/.test(path) ? undefined : path
  return `${path}?${parameters.join('&')}`
}

/** Docsify uses `id` for headings, with an underscore before digits. A plain number or a UUID identifies a record. */
function isAnchorParameter(parameter: string): boolean {
  return parameter.startsWith('id=') && !/^id=(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(parameter)
}

const maxSegments = 4
const maxParameterNames = 10

/** Returns what pages of one kind share. Placeholders replace numbers, titles and, below a folder, the page name. */
export function pathTemplate(url: URL): string {
  const segments = url.pathname.split('/').slice(1)
  const templateSegments = segments.slice(0, maxSegments).map(toTemplateSegment)
  if (segments.length > maxSegments) templateSegments.push('*')
  else if (segments.length > 1 && templateSegments.at(-1) !== '')
    templateSegments[templateSegments.length - 1] =
      `*${/\.[a-z]{1,5}$/i.exec(segments.at(-1) ?? '')?.[0].toLowerCase() ?? ''}`
  return `${url.host}/${templateSegments.join('/')}?${parameterNames(url).slice(0, maxParameterNames).join('&')}`
}

export function toTemplateSegment(segment: string): string {
  return segment.length > 20 || /[-_]/.test(segment) ? '*' : segment.replaceAll(/\d+/g, '#')
}

export function parameterNames(url: URL): string[] {
  return [...new Set(url.searchParams.keys())].sort()
}

/** Applied to all data for logs and traces, because URLs of callers may contain credentials. */
export function withoutUserinfo(text: string): string {
  if (!text.includes('@')) return text
  // A password may contain spaces, which only a URL parser distinguishes from the end of the URL.
  const url = URL.parse(text)
  if (url !== null && (url.username !== '' || url.password !== '')) {
    url.username = ''
    url.password = ''
    return url.href
  }
  return text.replace(credentialsInUrl, '://').replace(credentialsWithoutScheme, '')
}

/** Credentials in a URL. A match has no slash after the leading ones, so the time is linear in the length. */
const credentialsInUrl = /:[/\\]{2,}[^\s/\\?#]*@/g

/** Credentials in `name:password@host`, which a caller may write instead of a URL. */
const credentialsWithoutScheme = /^[^\s/\\?#@:]*:[^\s/\\?#]*@/
