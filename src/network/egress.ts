import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { AppError } from '../base/errors.ts'
import { listener } from '../base/listener.ts'
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
  /** Address of a local HTTP proxy (`http://127.0.0.1:port`) of the service itself, for as long as it runs. */
  proxyUrl(upstream: URL | undefined): Promise<string>
  /** The same proxy for connections that did not come over the network. */
  connections(upstream: URL | undefined): Promise<(socket: Socket) => void>
  /** A proxy whose connections count as those of a team; the same listener for the same team and upstream. */
  exit(whose: { team: string; upstream: URL | undefined }): Promise<Exit>
  /** A page that the listener of the way without an upstream serves itself, for browsers that are to be tested. */
  selfTest(): Promise<{ proxyUrl: string; url: string }>
  close(): Promise<void>
}

/** A way out that is used for a time. */
export interface Exit {
  url: string
  /** Takes a connection that did not come over the network: one of a browser in a sandbox. */
  connect(socket: Socket): void
  /** Nobody has used it for a while, and its address means nothing any more. */
  closed: Promise<unknown>
  /** It is not needed any more by whoever asked for it. */
  leave(): void
}

interface Listener {
  server: Promise<Server>
  closed: Promise<unknown>
  users: number
  idle: NodeJS.Timeout | undefined
}

export function createEgress(needs: { guard: Guard; log: Log }, limits: EgressLimits = usualLimits): Egress {
  const sockets = createSockets(limits, needs.log)
  const listeners = new Map<string, Listener>()
  let isClosed = false

  function listener(key: string, team: string, upstream: URL | undefined): Listener {
    const found = listeners.get(key)
    if (found) return found
    const wayNeeds: WayNeeds = { ...needs, sockets: sockets.of(team), limits }
    const way = upstream ? upstreamWay(upstream, wayNeeds) : directWay(wayNeeds)
    const server = listen(way, wayNeeds)
    const closed = server.then((started) => new Promise((resolve) => started.once('close', resolve)))
    const started: Listener = { server, closed, users: 0, idle: undefined }
    listeners.set(key, started)
    closed.catch(() => listeners.delete(key))
    return started
  }

  async function exit({ team, upstream }: { team: string; upstream: URL | undefined }): Promise<Exit> {
    if (isClosed) throw new AppError('STOPPING')
    const key = `${team} ${upstream?.href ?? ''}`
    const used = listener(key, team, upstream)
    used.users += 1
    clearTimeout(used.idle)
    const server = await used.server
    let hasLeft = false
    return {
      url: urlOf(server),
      connect: (socket) => void server.emit('connection', socket),
      closed: used.closed,
      leave() {
        if (hasLeft) return
        hasLeft = true
        used.users -= 1
        if (used.users === 0) used.idle = setTimeout(closeIdle, limits.listener, key, server).unref()
      },
    }
  }

  function closeIdle(key: string, server: Server): void {
    listeners.delete(key)
    server.close()
    server.closeAllConnections()
  }

  const ownExits = new Map<string, Promise<Exit>>()
  /** Those of the service itself are never left. */
  function own(upstream: URL | undefined): Promise<Exit> {
    const key = upstream?.href ?? ''
    const found = isClosed ? undefined : ownExits.get(key)
    const opened = found ?? exit({ team: '', upstream })
    ownExits.set(key, opened)
    opened.catch(() => ownExits.delete(key))
    return opened
  }

  return {
    proxyUrl: async (upstream) => (await own(upstream)).url,
    connections: async (upstream) => (await own(upstream)).connect,
    exit,
    async selfTest() {
      const { url } = await own(undefined)
      return { proxyUrl: url, url: selfTestUrl(url) }
    },
    async close() {
      isClosed = true
      for (const { idle } of listeners.values()) clearTimeout(idle)
      const started = await Promise.allSettled([...listeners.values()].map(({ server }) => server))
      const servers = started.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
      const ended = servers.map((server) => server.listening && once(server.close(), 'close'))
      sockets.destroyAll()
      await Promise.all(ended)
    },
  }
}

function urlOf(server: Server): string {
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
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
  const forward = createForward({ way, log, limits, mostHeaderBytes })
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (!answerSelfTest(server, request, response)) forward(request, response)
  }
  server.on(
    'request',
    listener(answer, (cause, _, response) => broken(cause, { destroy: () => response.destroy() })),
  )
  server.on(
    'connect',
    listener(createTunnel({ way, log, limits }), (cause, _, client) =>
      broken(cause, { destroy: () => client.destroy() }),
    ),
  )
  // An absolute-form request to upgrade is forwarded without the wish: Chromium tunnels its WebSockets, plain ones
  // too, and without a listener for upgrades Node treats the request as any other.
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A resource limit of the system (no file handles left) must not end the service.
  server.on('error', (cause) => log.error({ cause }, 'the proxy of the browsers met an error'))
  return server
}
