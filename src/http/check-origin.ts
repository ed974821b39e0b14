import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../base/errors.ts'

/**
 * With AUTH=off anything that reaches the port is believed, and a web page that someone has open can reach a
 * loopback port too, directly or by a name that resolves to it. So such a service answers only requests that were
 * addressed to this machine by its own name and did not come from another site.
 */
export function ownOriginOnly(publicUrl: () => string): (headers: IncomingHttpHeaders) => void {
  const isOwn = ownHost(publicUrl)
  return (headers) => {
    const { origin } = headers
    const isSameSite = origin === undefined || isOwn(URL.parse(origin)?.host)
    if (!isOwn(headers.host) || !isSameSite) throw new AppError('ORIGIN_FORBIDDEN')
  }
}

/** Whether a request names this machine: by PUBLIC_URL, as localhost, or by a loopback address. */
export function ownHost(publicUrl: () => string): (host: string | undefined) => boolean {
  return (host) =>
    host !== undefined &&
    (host === new URL(publicUrl()).host || /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host))
}
