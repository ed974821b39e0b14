import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies field by field
type Body = any

/** A call and the response of the server. */
export interface Exchange {
  path: string
  request: Body
  status: number
  answer: Body
}

export interface Recorder {
  url: string
  /** Exchanges in the order of their responses. */
  exchanges: Exchange[]
  stop(): Promise<void>
}

/** Starts a proxy that forwards every call to a JSON server unchanged and records the exchanges. */
export async function startRecorder(target: string): Promise<Recorder> {
  const exchanges: Exchange[] = []
  const server = createServer((request, response) => {
    forward(target, request).then(
      ({ exchange, text }) => {
        exchanges.push(exchange)
        response.writeHead(exchange.status, { 'content-type': 'application/json' }).end(text)
      },
      // The caller sees a server that closes the connection, as without this proxy.
      () => void response.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function forward(target: string, request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const path = request.url ?? ''
  const { authorization = '' } = request.headers
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(`${target}${path}`, { method: request.method ?? 'POST', headers, body })
  const text = await response.text()
  const exchange = { path, request: JSON.parse(body), status: response.status, answer: JSON.parse(text) }
  return { exchange, text }
}
