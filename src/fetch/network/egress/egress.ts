import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../platform/errors.ts'
import { listener } from '../../../platform/functions.ts'
import type { Log } from '../../../platform/log.ts'
import { SharedResource } from '../../../platform/shared-resource.ts'
import type { Guard } from '../guard.ts'
import { egressAddress } from '../own-endpoints.ts'
import { type Dialer, type DialerDeps, directDialer } from './dial.ts'
import { createForward, maxHeaderBytes } from './forward.ts'
import { rejectTunnel, unreachableError } from './refusal.ts'
import { createSockets, defaultEgressLimits, type EgressLimits } from './sockets.ts'
import { readTarget } from './target.ts'
import { upstreamDialer } from './upstream.ts'

interface ExitOwner {
  team: string
  upstream: URL | undefined
  /** The listener of a connection pool is closed as soon as its last user releases it. */
  pool?: string
}

interface Listener {
  server: Server
  sockets: Set<Socket>
  closed: Promise<unknown>
}

/** The only network access of browsers: checks targets, and connects to the checked address. */
export function createEgress(deps: { guard: Guard; log: Log }, limits: EgressLimits = defaultEgressLimits) {
  const sockets = createSockets(limits, deps.log)
  const listeners = new Map<string, SharedResource<Listener>>()
  let isClosed = false

  async function startListener({ team, upstream }: ExitOwner): Promise<Listener> {
    const openSockets = new Set<Socket>()
    const dialerDeps = { ...deps, limits, sockets: sockets.forTeam(team, openSockets) }
    const dialer = upstream ? upstreamDialer(upstream, dialerDeps) : directDialer(dialerDeps)
    const server = await startProxy(dialer, dialerDeps)
    return { server, sockets: openSockets, closed: new Promise((resolve) => server.once('close', resolve)) }
  }

  function sharedListener(key: string, owner: ExitOwner): SharedResource<Listener> {
    const remove = () => listeners.delete(key)
    const shared = new SharedResource<Listener>({
      start() {
        const starting = startListener(owner)
        starting.catch(remove)
        return starting
      },
      async end({ server, sockets: openSockets, closed }) {
        remove()
        server.close()
        dropAll(openSockets)
        await closed
      },
      idleMs: owner.pool === undefined ? limits.listener : 0,
      stopped: () => new AppError('STOPPING'),
    })
    listeners.set(key, shared)
    return shared
  }

  async function openExit(owner: ExitOwner): Promise<Exit> {
    if (isClosed) throw new AppError('STOPPING')
    const key = JSON.stringify([owner.team, owner.upstream, owner.pool])
    const { resource, release } = await (listeners.get(key) ?? sharedListener(key, owner)).acquire()
    return createExit(resource, release)
  }

  return {
    /** Connections count for a team. The listener stays a little longer than its users. */
    exit: openExit,
    async selfTest() {
      const { url } = await openExit({ team: '', upstream: undefined })
      return { proxyUrl: url, url: url + selfTestPath }
    },
    async close() {
      isClosed = true
      await Promise.all([...listeners.values()].map((listener) => listener.stop()))
      sockets.destroyAll()
    },
  }
}

export type Egress = ReturnType<typeof createEgress>

/** The HTTP server does not track the sockets of tunnels. */
function dropAll(openSockets: Set<Socket>): void {
  for (const socket of openSockets) socket.destroy()
}

function createExit({ server, sockets, closed }: Listener, release: () => void) {
  return {
    /** `closed` resolves when the URL (`http://127.87.78.1:port`) is no longer valid. */
    ...{ url: getServerUrl(server), closed, release },
    /** For a connection that did not arrive over the network, such as of a browser in a sandbox. */
    connect: (socket: Socket) => void server.emit('connection', socket),
    dropConnections: () => dropAll(sockets),
  }
}

export type Exit = ReturnType<typeof createExit>

async function startProxy(dialer: Dialer, deps: DialerDeps): Promise<Server> {
  const { sockets, limits, log } = deps
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: limits.idle,
    headersTimeout: limits.idle,
    // The whole upload has no limit; a stalled one reaches the idle limit.
    requestTimeout: 0,
  })
  server.timeout = limits.idle
  const onConnectionError = (cause: unknown, connection: Socket | ServerResponse | Duplex) => {
    log.error({ cause }, 'the proxy of the browsers could not serve a connection')
    connection.destroy()
  }
  const admit = (socket: Socket) => sockets.admit(socket, 'client')
  server.on('connection', listener(admit, onConnectionError))
  const forward = createForward({ dialer, log, limits })
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (!serveSelfTest(server, request, response)) forward(request, response)
  }
  server.on(
    'request',
    listener(onRequest, (cause, _, response) => onConnectionError(cause, response)),
  )
  server.on(
    'connect',
    listener(createTunnel(dialer, deps), (cause, _, client) => onConnectionError(cause, client)),
  )
  // Chromium tunnels all WebSockets. Without an upgrade listener, Node handles an upgrade request like any other.
  server.listen(0, egressAddress)
  await once(server, 'listening')
  // Exceeding a resource limit of the system, such as the number of file handles, must not end the service.
  server.on('error', (cause) => log.error({ cause }, 'the proxy of the browsers had an error'))
  return server
}

/** A browser that bypasses its proxy for loopback gets `direct`. Secret, so that pages cannot detect the service. */
const selfTestPath = `/${randomUUID()}`

function serveSelfTest(server: Server, { url }: IncomingMessage, response: ServerResponse): boolean {
  const isProxied = url === getServerUrl(server) + selfTestPath
  if (!isProxied && url !== selfTestPath) return false
  response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
  response.end(isProxied ? 'proxied' : 'direct')
  return true
}

function getServerUrl(server: Server): string {
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return `http://${egressAddress}:${port}`
}

/** For CONNECT, which browsers use for TLS, HTTP/2 and every WebSocket. */
function createTunnel(dialer: Dialer, { log, limits }: DialerDeps) {
  return async (request: IncomingMessage, client: Duplex, head: Buffer): Promise<void> => {
    if (!(client instanceof Socket)) return void client.destroy()
    const disconnected = new AbortController()
    client.once('close', () => disconnected.abort())
    try {
      const outgoing = await dialer.tunnel(readTarget(request.url ?? ''), disconnected.signal)
      // A socket that is already closed emits no further event, so the other side would stay open.
      if (outgoing.destroyed) throw unreachableError(new Error('The site ended the connection.'))
      if (client.destroyed) return void outgoing.destroy()
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) client.unshift(head)
      join(client, outgoing, limits)
    } catch (thrown) {
      rejectTunnel(client, thrown, log)
    }
  }
}

function join(client: Socket, outgoing: Socket, limits: EgressLimits): void {
  client.pipe(outgoing)
  outgoing.pipe(client)
  for (const [socket, other] of [
    [client, outgoing],
    [outgoing, client],
  ] as const) {
    socket.once('end', () => other.setTimeout(limits.halfClosed))
    socket.once('close', () => {
      // The pipe has forwarded a clean end. Otherwise, a reset prevents that a partial response looks complete.
      if (!(socket.readableEnded && socket.writableFinished)) other.resetAndDestroy()
    })
  }
}
