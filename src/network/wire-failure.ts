/** A network failure: a name for programs, and a text for people. */
export interface WireFailure {
  reason: string
  words: string
}

/** Error codes of systems and libraries → our names. Their messages contain addresses and internals, so they are not passed on. */
const failures: [RegExp, WireFailure][] = [
  [/^ECONNREFUSED$/, { reason: 'ECONNREFUSED', words: 'refused the connection' }],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ECONNABORTED)$/,
    { reason: 'ECONNRESET', words: 'closed the connection' },
  ],
  [/^(?:ETIMEDOUT|UND_ERR_\w*TIMEOUT)$/, { reason: 'ETIMEDOUT', words: 'could not be reached in time' }],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    { reason: 'EHOSTUNREACH', words: 'is not reachable from this network' },
  ],
  [/^(?:ENOTFOUND|EAI_\w+)$/, { reason: 'ENOTFOUND', words: 'has a name that does not resolve' }],
  [
    /TLS|SSL|CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|EPROTO/,
    { reason: 'TLS', words: 'has an invalid certificate, or does not support TLS' },
  ],
  [
    /^(?:HPE_|UND_ERR_(?:RES|HEADERS|BODY|INFO))/,
    { reason: 'NOT_HTTP', words: 'did not answer with valid HTTP' },
  ],
]

const unknown: WireFailure = { reason: 'UNKNOWN', words: 'could not be reached' }

export function wireFailure(thrown: unknown): WireFailure {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const found = failures.find(([pattern]) => pattern.test(code))?.[1]
  if (found) return found
  // Several addresses were tried, or an upper layer wrapped the error.
  const inner =
    thrown instanceof AggregateError ? thrown.errors[0] : thrown instanceof Error ? thrown.cause : undefined
  return inner === undefined ? unknown : wireFailure(inner)
}
