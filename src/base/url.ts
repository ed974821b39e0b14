import { isIP } from 'node:net'
import { AppError } from './errors.ts'
import { hashRoute } from './hash-route.ts'

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
