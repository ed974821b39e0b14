import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Canary {
  port: number
  /** Text in every response of the canary. The text occurs nowhere else. */
  secret: string
  /** The request line of each request, and one entry for each connection. */
  touched: string[]
  stop(): Promise<void>
}

/**
 * Starts a server on every address of this machine that no request may reach. Even a connection alone counts as harm.
 */
export async function startCanary(): Promise<Canary> {
  const secret = `canary-${crypto.randomUUID()}`
  const touched: string[] = []
  const server = createServer((request, response) => {
    touched.push(`${request.method} ${request.headers.host}${request.url}`)
    const text = `<html><title>${secret}</title><p>${`${secret} `.repeat(50)}</p></html>`
    response.writeHead(200, { 'content-type': 'text/html' }).end(text)
  })
  server.on('connection', (socket) => touched.push(`a connection from port ${socket.remotePort}`))
  server.listen(0, '::')
  await once(server, 'listening')
  return {
    // A listening TCP server always has an address object.
    port: (server.address() as AddressInfo).port,
    secret,
    touched,
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
