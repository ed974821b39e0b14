import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SelfTestResult } from '../../../browser/shared-browser.ts'
import { AppError } from '../../../platform/errors.ts'
import { listener } from '../../../platform/functions.ts'
import type { Log } from '../../../platform/log.ts'
import { SharedResource } from '../../../platform/shared-resource.ts'
import type { Guard } from '../guard.ts'
import { egressAddress } from '../own-endpoints.ts'
import { type Dialer, type DialerDeps, directDialer } from './dial.ts'
import { createForward } from './forward.ts'
import { rejectTunnel, unreachable } from './refusal.ts'
import { createSockets, type EgressLimits, type Sockets, usualLimits } from './sockets.ts'
import { readTarget } from './target.ts'
import { upstreamDialer } from './upstream.ts'

/** An exit that is used for a limited time. */
export interface Exit {
  url: string
  /** Takes a connection that did not come over the network: one of a browser in a sandbox. */
  connect(socket: Socket): void
  /** It was unused for a while, and its address is no longer valid. */
  closed: Promise<unknown>
  /** Ends all connections of this listener, also those of tunnels. */
  dropConnections(): void
  /** Releases it. */
  leave(): void
}

/** The only network access of browsers: resolves and checks targets, and connects to the checked address. */
export interface Egress {
  /** Address of a local HTTP proxy (`http://127.87.78.1:port`) of the service itself, for as long as it runs. */
  proxyUrl(upstream: URL | undefined): Promise<string>
  /** The same proxy for connections that did not come over the network. */
  connections(upstream: URL | undefined): Promise<(socket: Socket) => void>
  /** A proxy whose connections count as those of a team. Its listener stays the same for a team, upstream and pool while it is in use and a little longer. */
  exit(whose: ExitOwner): Promise<Exit>
  /** A page that the listener without an upstream serves itself, for the self-test of browsers. */
  selfTest(): Promise<{ proxyUrl: string; url: string }>
  close(): Promise<void>
}

interface ExitOwner {
  team: string
  upstream: URL | undefined
  /** Name of a connection pool. Its listener is closed with all connections as soon as its last user leaves. */
  pool?: string
}

interface Listener {
  server: Server
  sockets: Set<Socket>
  closed: Promise<unknown>
}

/** The listeners are one per team, upstream and pool. */
export function createEgress(deps: { guard: Guard; log: Log }, limits: EgressLimits = usualLimits): Egress {
  const sockets = createSockets(limits, deps.log)
  const listeners = new Map<string, SharedResource<Listener>>()
  let isClosed = false

  async function startListener({ team, upstream }: ExitOwner): Promise<Listener> {
    const held = new Set<Socket>()
    const dialerDeps: DialerDeps = { ...deps, sockets: heldIn(held, sockets.of(team)), limits }
    const dialer = upstream ? upstreamDialer(upstream, dialerDeps) : directDialer(dialerDeps)
    const server = await startProxy(dialer, dialerDeps)
    return { server, sockets: held, closed: new Promise((resolve) => server.once('close', resolve)) }
  }

  function sharedListener(key: string, whose: ExitOwner): SharedResource<Listener> {
    const remove = () => listeners.delete(key)
    const shared = new SharedResource<Listener>({
      start() {
        const starting = startListener(whose)
        starting.catch(remove)
        return starting
      },
      async end({ server, sockets: held, closed }) {
        remove()
        server.close()
        dropAll(held)
        await closed
      },
      idleMs: whose.pool === undefined ? limits.listener : 0,
      stopped: () => new AppError('STOPPING'),
    })
    listeners.set(key, shared)
    return shared
  }

  async function open(whose: ExitOwner): Promise<Exit> {
    if (isClosed) throw new AppError('STOPPING')
    const key = JSON.stringify([whose.team, whose.upstream, whose.pool])
    const { resource, release } = await (listeners.get(key) ?? sharedListener(key, whose)).acquire()
    return exitOf(resource, release)
  }

  /** Exits of the service itself are never released. */
  const own = (upstream: URL | undefined) => open({ team: '', upstream })

  return {
    proxyUrl: async (upstream) => (await own(upstream)).url,
    connections: async (upstream) => (await own(upstream)).connect,
    exit: open,
    async selfTest() {
      const { url } = await own(undefined)
      return { proxyUrl: url, url: url + selfTestPath }
    },
    async close() {
      isClosed = true
      await Promise.all([...listeners.values()].map((listener) => listener.stop()))
      sockets.destroyAll()
    },
  }
}

/** The server itself does not know the sockets of tunnels. */
function dropAll(held: Set<Socket>): void {
  for (const socket of held) socket.destroy()
}

/** Registers sockets as before, and in this set while they are open. */
function heldIn(held: Set<Socket>, { admit }: Sockets): Sockets {
  return {
    admit(socket, side) {
      const isAdmitted = admit(socket, side)
      if (isAdmitted) {
        held.add(socket)
        socket.once('close', () => held.delete(socket))
      }
      return isAdmitted
    },
  }
}

/** The exit of one user. */
function exitOf({ server, sockets, closed }: Listener, leave: () => void): Exit {
  return {
    ...{ url: urlOf(server), closed, leave },
    connect: (socket) => void server.emit('connection', socket),
    dropConnections: () => dropAll(sockets),
  }
}

const maxHeaderBytes = 64 * 1024

/** The proxy for browsers, on a loopback port: plain requests and tunnels. */
async function startProxy(dialer: Dialer, deps: DialerDeps): Promise<Server> {
  const { sockets, limits, log } = deps
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
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
  const forward = createForward({ dialer, log, limits, maxHeaderBytes })
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

/**
 * A page at the proxy's own address that reports how it was requested. By default a browser connects directly to addresses of its
 * own machine; such a browser gets `direct` here. The path is secret, so that no page can use it to detect where it
 * runs.
 */
const selfTestPath = `/${randomUUID()}`

/** Answers the request if it is for that page. */
function answerSelfTest(server: Server, { url }: IncomingMessage, response: ServerResponse): boolean {
  const isProxied = url === urlOf(server) + selfTestPath
  if (!isProxied && url !== selfTestPath) return false
  const answer: SelfTestResult = isProxied ? 'proxied' : 'direct'
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(answer)
  return true
}

function urlOf(server: Server): string {
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return `http://${egressAddress}:${port}`
}

type ConnectListener = (request: IncomingMessage, client: Duplex, head: Buffer) => Promise<void>

/** Serves CONNECT, which browsers use for TLS, HTTP/2 and every WebSocket. */
function createTunnel(deps: { dialer: Dialer; log: Log; limits: EgressLimits }): ConnectListener {
  const { dialer, log, limits } = deps
  return async (request, client, head) => {
    // The type is too wide: a TCP server only accepts sockets.
    if (!(client instanceof Socket)) return void client.destroy()
    const gone = new AbortController()
    client.once('close', () => gone.abort())
    try {
      const outgoing = await dialer.tunnel(readTarget(request.url ?? ''), gone.signal)
      // A side that is already closed would never notify the other.
      if (outgoing.destroyed) throw unreachable(new Error('The site ended the connection.'))
      if (client.destroyed) return void outgoing.destroy()
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) client.unshift(head)
      join(client, outgoing, limits)
    } catch (thrown) {
      rejectTunnel(client, thrown, log)
    }
  }
}

/** Copies bytes in both directions until both sides have ended; one side may end early and still receive. */
function join(client: Socket, outgoing: Socket, limits: EgressLimits): void {
  client.pipe(outgoing)
  outgoing.pipe(client)
  for (const [socket, other] of [
    [client, outgoing],
    [outgoing, client],
  ] as const) {
    socket.once('end', () => other.setTimeout(limits.lastWords))
    socket.once('close', () => {
      // The pipe has forwarded a clean end, and its data may still be in flight. Anything else is
      // forwarded as a reset, because a clean end would make a partial response look complete.
      if (!(socket.readableEnded && socket.writableFinished)) other.resetAndDestroy()
    })
  }
}
