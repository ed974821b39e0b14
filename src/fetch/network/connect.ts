import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { codeOf } from '../../platform/errors.ts'
import { connectChecked, type Guard, portOf } from './guard.ts'

/** A check in the lookup is not enough: IP addresses have no lookup. */
export function createGuardedAgent(guard: Guard, verifyTls: boolean): Agent {
  const dial = buildConnector({ rejectUnauthorized: verifyTls, timeout: 10_000, keepAlive: true })
  return new Agent({
    connect(options, callback) {
      connect(options).then(
        (socket) => callback(null, socket),
        (error) => callback(error, null),
      )
    },
    maxHeaderSize: 64 * 1024,
    // The deadline of the call limits both.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4000,
    allowH2: false,
  })

  function connect(options: buildConnector.Options): Promise<Socket> {
    const { hostname: host } = options
    const servername = options.servername ?? (isIP(host) ? '' : host)
    return connectChecked(guard, { host, port: portOf(options) }, (hostname) => {
      const { promise, resolve, reject } = Promise.withResolvers<Socket>()
      const connection = { ...options, hostname, servername }
      dial(connection, (...[error, socket]) => (error ? reject(error) : resolve(socket)))
      return promise
    })
  }
}

export function joinHeaders({ headers }: Dispatcher.ResponseData): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}

/** Error codes of systems and libraries. The original messages contain IP addresses and internals. */
const failures: [code: RegExp, reason: string, description: string][] = [
  [/^ECONNREFUSED$/, 'ECONNREFUSED', 'refused the connection'],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)$/, 'ECONNRESET', 'closed the connection'],
  [/^(?:ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/, 'ETIMEDOUT', 'could not be reached in time'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'EHOSTUNREACH', 'is not reachable from this network'],
  [/^(?:ENOTFOUND|EAI_\w+)$/, 'ENOTFOUND', 'has a name that does not resolve'],
  [
    /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|EPROTO/,
    'TLS',
    'has an invalid certificate, or does not support TLS',
  ],
  [/^(?:HPE_|UND_ERR_(?:RES|HEADERS|BODY|INFO))/, 'NOT_HTTP', 'did not answer with valid HTTP'],
]

export function toNetworkError(thrown: unknown): { reason: string; description: string } {
  const found = failures.find(([pattern]) => pattern.test(codeOf(thrown)))
  if (found) return { reason: found[1], description: found[2] }
  // The code may be in an inner error: several addresses were tried, or an upper layer wrapped the error.
  const inner =
    thrown instanceof AggregateError ? thrown.errors[0] : thrown instanceof Error ? thrown.cause : undefined
  return inner === undefined
    ? { reason: 'UNKNOWN', description: 'could not be reached' }
    : toNetworkError(inner)
}
