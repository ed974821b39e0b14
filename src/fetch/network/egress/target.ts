import { isIPv6 } from 'node:net'
import { AppError } from '../../../platform/errors.ts'

export interface Target {
  /** Without a trailing dot or brackets. */
  host: string
  port: number
}

/** Normalised as in browsers: the checked and the dialled host must be the same, also for an upstream proxy. */
export function readTarget(authority: string, defaultPort?: number): Target {
  const parts = /^(\[[\da-f:.]+\]|[^\s@:/?#\\%[\]]+)(?::(\d{1,5}))?$/i.exec(authority)
  const hostname = parts && URL.parse(`http://${parts[1]}`)?.hostname
  const host = hostname?.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = Number(parts?.[2] ?? defaultPort)
  if (!host || !(port >= 1 && port <= 65535)) throw malformedError('the target must be a host and a port')
  if (backgroundHosts.has(host)) {
    const message = 'Browsers call this host for their own purposes, so the service does not contact it.'
    throw new AppError('TARGET_FORBIDDEN', { phase: 'connect' }, { message })
  }
  return { host, port }
}

export function authorityOf({ host, port }: Target, defaultPort?: number): string {
  const bracketed = isIPv6(host) ? `[${host}]` : host
  return port === defaultPort ? bracketed : `${bracketed}:${port}`
}

export function malformedError(reason: string): AppError {
  return new AppError('BAD_URL', {}, { message: `This is a proxy for browsers: ${reason}.` })
}

/**
 * Chromium calls these for its own purposes, despite all switches. Hosts that pages also use stay allowed:
 * accounts.google.com (sign-in), www.google.com, clients1/4/6.google.com, www.googleapis.com, dl.google.com,
 * translate.googleapis.com, redirector.gvt1.com and safebrowsing.google.com.
 */
const backgroundHosts = new Set([
  'android.clients.google.com',
  'clients2.google.com',
  'clientservices.googleapis.com',
  'content-autofill.googleapis.com',
  'edgedl.me.gvt1.com',
  'mtalk.google.com',
  'optimizationguide-pa.googleapis.com',
  'passwordsleakcheck-pa.googleapis.com',
  'safebrowsing.googleapis.com',
  'safebrowsingohttpgateway.googleapis.com',
  'sb-ssl.google.com',
  'update.googleapis.com',
])
