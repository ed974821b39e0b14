import { AppError } from '../base/errors.ts'
import { readBody } from './body.ts'
import type { Sender } from './sender.ts'

/**
 * Sends requests with the fingerprint of Chrome: its order of TLS extensions, its HTTP/2 settings, its header order. Every
 * connection goes through our own proxy, which checks the target.
 */
export async function fingerprintSender(proxyUrl: string, verifyTls: boolean): Promise<Sender> {
  // A native module of 11 MB, loaded only when used.
  const { Impit } = await import('impit')
  const client = new Impit({
    browser: 'chrome',
    proxyUrl,
    ignoreTlsErrors: !verifyTls,
    followRedirects: false,
  })
  return async (url, headers, signal) => {
    const answer = await client.fetch(url.href, { headers: withoutOwn(headers), signal })
    const joined: Record<string, string> = {}
    answer.headers.forEach((value, name) => {
      joined[name.toLowerCase()] = value
    })
    const body = answer.body as unknown as AsyncIterable<Uint8Array>
    return {
      status: answer.status,
      headers: joined,
      cookies: answer.headers.getSetCookie(),
      // The library decodes the body itself; the size is checked on the decoded bytes.
      read: async (limits) => ({ bytes: await readBody(body, limits), isDecoded: true }),
      drop: async () => answer.abort?.(),
    }
  }
}

/** The emulated browser sends its own; ours would contradict them. */
const own = new Set(['user-agent', 'accept', 'accept-encoding', 'upgrade-insecure-requests'])

function withoutOwn(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !own.has(name) && !name.startsWith('sec-')),
  )
}

/** Distinguishes errors of the library from an abort by the caller. */
export function isRefusedTunnel(thrown: unknown): boolean {
  return (
    !(thrown instanceof AppError) && thrown instanceof Error && /ProxyTunnel/.test(thrown.constructor.name)
  )
}

/** A connection that ended without an answer; the library does not say whether it was a new one. */
export function isBrokenOff(thrown: unknown): boolean {
  return thrown instanceof Error && /RemoteProtocol|^HTTPError$/.test(thrown.constructor.name)
}
