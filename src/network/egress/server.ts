import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { listener } from '../../base/listener.ts'
import { egressAddress } from '../own-endpoints.ts'
import type { Dialer, DialerNeeds } from './dial.ts'
import { createForward } from './forward.ts'
import { answerSelfTest } from './self-test.ts'
import { createTunnel } from './tunnel.ts'

const mostHeaderBytes = 64 * 1024

/** The proxy for browsers, on a loopback port: plain requests and tunnels. */
export async function startProxy(dialer: Dialer, needs: DialerNeeds): Promise<Server> {
  const { sockets, limits, log } = needs
  const server = createServer({
    maxHeaderSize: mostHeaderBytes,
    keepAliveTimeout: limits.idle,
    headersTimeout: limits.idle,
    // No limit for the whole upload; one that stalls reaches the idle limit.
    requestTimeout: 0,
  })
  server.timeout = limits.idle
  const broken = (cause: unknown, { destroy }: { destroy(): void }) => {
    log.error({ cause }, 'the proxy of the browsers could not serve a connection')
    destroy()
  }
  server.on(
    'connection',
    listener(
      (socket: Socket) => sockets.admit(socket, 'client'),
      (cause, socket) => broken(cause, { destroy: () => socket.destroy() }),
    ),
  )
  const forward = createForward({ dialer, log, limits, mostHeaderBytes })
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (!answerSelfTest(server, request, response)) forward(request, response)
  }
  server.on(
    'request',
    listener(answer, (cause, _, response) => broken(cause, { destroy: () => response.destroy() })),
  )
  server.on(
    'connect',
    listener(createTunnel({ dialer, log, limits }), (cause, _, client) =>
      broken(cause, { destroy: () => client.destroy() }),
    ),
  )
  // An absolute-form upgrade request is forwarded without the upgrade: Chromium tunnels its WebSockets, plain ones
  // too, and without a listener for upgrades Node treats the request as any other.
  server.listen(0, egressAddress)
  await once(server, 'listening')
  // A resource limit of the system (no file handles left) must not end the service.
  server.on('error', (cause) => log.error({ cause }, 'the proxy of the browsers had an error'))
  return server
}

export function urlOf(server: Server): string {
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return `http://${egressAddress}:${port}`
}
