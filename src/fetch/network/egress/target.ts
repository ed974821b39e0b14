import { isIPv6 } from 'node:net'
import { AppError } from '../../../platform/errors.ts'

/** Where a browser wants to go. */
export interface Target {
  /** A name without a dot at its end, or an address without brackets. */
  host: string
  port: number
}

/**
 * Reads `host:port`. A number in another notation becomes the address that it means, as in browsers: what is checked
 * must be what is dialled, and an upstream proxy must not get a chance to read it differently.
 */
export function readTarget(authority: string, usualPort?: number): Target {
  const parts = /^(\[[\da-f:.]+\]|[^\s@:/?#\\%[\]]+)(?::(\d{1,5}))?$/i.exec(authority)
  const hostname = parts && URL.parse(`http://${parts[1]}`)?.hostname
  const host = hostname?.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = Number(parts?.[2] ?? usualPort)
  if (!host || !(port >= 1 && port <= 65535)) throw malformed('the target must be a host and a port')
  if (backgroundHosts.has(host)) {
    const message = 'Browsers call this host for their own purposes, so the service does not contact it.'
    throw new AppError('TARGET_FORBIDDEN', { phase: 'connect' }, { message })
  }
  return { host, port }
}

/** As written in a Host header or after CONNECT. */
export function authorityOf({ host, port }: Target, usualPort?: number): string {
  const bracketed = isIPv6(host) ? `[${host}]` : host
  return port === usualPort ? bracketed : `${bracketed}:${port}`
}

export function malformed(reason: string): AppError {
  return new AppError('BAD_URL', {}, { message: `This is a proxy for browsers: ${reason}.` })
}

/**
 * Hosts that Chromium calls by itself, whatever the switches say: updates of components and extensions, field
 * trials, autofill, page hints, leaked passwords, reputation of sites and downloads, push messages. They answer only
 * to browsers and devices, so no page needs them. Hosts that pages use as well must stay open, although Chromium
 * calls them too: accounts.google.com (sign-in pages and the sign-in button of other sites), www.google.com,
 * clients1/4/6.google.com, www.googleapis.com and translate.googleapis.com (scripts of pages), dl.google.com and
 * redirector.gvt1.com (downloads), safebrowsing.google.com (a site for people). A tunnel does not show whether a
 * page or the browser asked for it; a browser without an account tells accounts.google.com nothing about anyone.
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
