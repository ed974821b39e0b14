import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { directWay, type Way, type WayNeeds } from './egress-dial.ts'
import { createForward } from './egress-forward.ts'
import { answerSelfTest, selfTestUrl } from './egress-self-test.ts'
import { createSockets, type EgressLimits, usualLimits } from './egress-sockets.ts'
import { createTunnel } from './egress-tunnel.ts'
import { upstreamWay } from './egress-upstream.ts'
import type { Guard } from './guard.ts'

/** One way out for browsers: resolves, checks and dials the checked address. */
export interface Egress {
  /** Address of a local HTTP proxy (`http://127.0.0.1:port`) for this way out; the same listener for the same upstream. */
  proxyUrl(upstream: URL | undefined): Promise<string>
  /** The same proxy for connections that did not come over the network: those of a browser in a sandbox. */
  connections(upstream: URL | undefined): Promise<(socket: Socket) => void>
  /** A page that the listener of the way without an upstream serves itself, for browsers that are to be tested. */
  selfTest(): Promise<{ proxyUrl: string; url: string }>
  close(): Promise<void>
}

export function createEgress(needs: { guard: Guard; log: Log }, limits: EgressLimits = usualLimits): Egress {
  const sockets = createSockets(limits, needs.log)
  let isClosed = false
  const wayNeeds: WayNeeds = { ...needs, sockets, limits }
  const listeners = new Map<string, Promise<Server>>()
  function listener(upstream: URL | undefined): Promise<Server> {
    if (isClosed) throw new AppError('STOPPING')
    const key = upstream?.href ?? ''
    let started = listeners.get(key)
    if (!started) {
      started = listen(upstream ? upstreamWay(upstream, wayNeeds) : directWay(wayNeeds), wayNeeds)
      listeners.set(key, started)
      started.catch(() => listeners.delete(key))
    }
    return started
  }
  async function proxyUrl(upstream: URL | undefined): Promise<string> {
    // A listening TCP server always has an address object; a string is for pipes only.
    const { port } = (await listener(upstream)).address() as AddressInfo
    return `http://127.0.0.1:${port}`
  }
  return {
    proxyUrl,
    async connections(upstream) {
      const server = await listener(upstream)
      return (socket) => void server.emit('connection', socket)
    },
    async selfTest() {
      const own = await proxyUrl(undefined)
      return { proxyUrl: own, url: selfTestUrl(own) }
    },
    async close() {
      isClosed = true
      const started = await Promise.allSettled(listeners.values())
      const servers = started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
      const ended = servers.map((server) => server.listening && once(server.close(), 'close'))
      sockets.destroyAll()
      await Promise.all(ended)
    },
  }
}

const mostHeaderBytes = 64 * 1024

async function listen(way: Way, needs: WayNeeds): Promise<Server> {
  const { sockets, limits, log } = needs
  const server = createServer({
    maxHeaderSize: mostHeaderBytes,
    keepAliveTimeout: limits.idle,
    headersTimeout: limits.idle,
    // An upload takes as long as it takes; one that stands still meets the idle limit.
    requestTimeout: 0,
  })
  server.timeout = limits.idle
  server.on('connection', (socket) => sockets.admit(socket, 'client'))
  const forward = createForward({ way, log, limits, mostHeaderBytes })
  server.on('request', (request, response) => {
    if (!answerSelfTest(server, request, response)) forward(request, response)
  })
  server.on('connect', createTunnel({ way, log, limits }))
  // An absolute-form request to upgrade is forwarded without the wish: Chromium tunnels its WebSockets, plain ones
  // too, and without a listener for upgrades Node treats the request as any other.
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A resource limit of the system (no file handles left) must not end the service.
  server.on('error', (cause) => log.error({ cause }, 'the proxy of the browsers met an error'))
  return server
}
