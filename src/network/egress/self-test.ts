import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { egressAddress } from '../own-endpoints.ts'

/**
 * A page at the proxy's own address that reports how it was requested. By default a browser connects directly to addresses of its
 * own machine; such a browser gets `direct` here. The path is secret, so that no page can use it to detect where it
 * runs.
 */
const path = `/${randomUUID()}`

export const selfTestUrl = (proxyUrl: string) => proxyUrl + path

export type SelfTestAnswer = 'proxied' | 'direct'

/** Answers the request if it is for that page. */
export function answerSelfTest(server: Server, request: IncomingMessage, response: ServerResponse): boolean {
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  const answer = answerTo(request.url ?? '', `http://${egressAddress}:${port}`)
  if (!answer) return false
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(answer)
  return true
}

function answerTo(url: string, origin: string): SelfTestAnswer | undefined {
  if (url === origin + path) return 'proxied'
  return url === path ? 'direct' : undefined
}
