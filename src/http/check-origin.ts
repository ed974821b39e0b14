import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '../base/errors.ts'

/**
 * With AUTH=off anything that reaches the port is believed, and a web page that someone has open can reach a
 * loopback port too, directly or by a name that resolves to it. So such a service answers only requests that were
 * addressed to this machine by its own name and did not come from another site.
 */
export function ownOriginOnly(publicUrl: () => string): (headers: IncomingHttpHeaders) => void {
  return (headers) => {
    const own = new URL(publicUrl()).host
    const isOwn = (host: string | undefined) =>
      host !== undefined && (host === own || /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host))
    const { origin } = headers
    const isSameSite = origin === undefined || isOwn(URL.parse(origin)?.host)
    if (!isOwn(headers.host) || !isSameSite) throw new AppError('ORIGIN_FORBIDDEN')
  }
}
