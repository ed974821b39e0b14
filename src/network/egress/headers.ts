import type { IncomingMessage } from 'node:http'
import { refusedHeader } from './refusal.ts'

/** Hop-by-hop headers, which describe one connection and not the message; proxies must not forward them. */
const ofConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info'],
]

/** The headers of a browser as it would send them without a proxy, in its order and spelling, after the given ones. */
export function requestHeaders(request: IncomingMessage, first: string[]): string[] {
  const dropped = namesOfConnection(request).add('host')
  // Node has already sent the interim response.
  dropped.add('expect')
  // Whatever the connection header names: without its length, a body could be read as another request.
  dropped.delete('content-length')
  const framing = request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
  return [...first, 'Connection', 'keep-alive', ...headersWithout(request, dropped), ...framing]
}

export function answerHeaders(answer: IncomingMessage): string[] {
  const dropped = namesOfConnection(answer).add(refusedHeader)
  // If both are present, the length is wrong: the body was read by its chunks.
  if (answer.headers['transfer-encoding'] !== undefined) dropped.add('content-length')
  return headersWithout(answer, dropped)
}

function namesOfConnection({ headers }: IncomingMessage): Set<string> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return new Set([...ofConnection, ...named])
}

function headersWithout({ rawHeaders }: IncomingMessage, dropped: Set<string>): string[] {
  const kept: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!dropped.has(name.toLowerCase()) && isSendable(value)) kept.push(name, value)
  }
  return kept
}

/** Node accepts control characters in lenient mode, but never sends them. */
function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}
