import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import { Permits } from '../../platform/permits.ts'
import type { ClientAddress } from './client-address.ts'
import { type Closable, untilClosed } from './open-connections.ts'

type Group = Set<ConnectionState>

interface ConnectionState {
  socket: Socket
  peer: string
  /** The connection is in this group between requests, and during one until its client or key is known. */
  peerGroup: Group
  requests: number
  awaitedRequest?: IncomingMessage | undefined
  lingerTimer?: NodeJS.Timeout
  group?: Group | undefined
}

interface ConnectionDeps {
  maxConnections: number
  clientAddress: ClientAddress
  log: Log
}

/** Maximum unanswered requests of one connection; typical clients send one at a time. */
const maxPipelined = 32

const lingerQuietMs = 5000
/** Maximum time to read the rest of a request, so that its client gets the early response, not a reset. */
const lingerMs = 60_000

/** At the limit, the largest group loses its oldest connection whose key is unchecked or whose body is awaited. */
export function limitConnections(server: Server, deps: ConnectionDeps) {
  const { clientAddress } = deps
  const connections = new EvictableConnections(deps)
  const holdCall = createCallLimiter(deps.maxConnections)
  // A call with a body counts as in progress when the body has arrived; its connection can be evicted until then.
  const pendingCounts = new WeakMap<IncomingMessage, () => void>()
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const state = connections.find(request.socket)
    if (!state) return
    clearTimeout(state.lingerTimer)
    state.requests += 1
    if (hasBody(request)) state.awaitedRequest = request
    const client = clientAddress(request)
    if (client !== state.peer) connections.setOwner(state, `address ${client}`)
    response.once('close', () => connections.finishRequest(state, request))
  }
  server.on(
    'connection',
    listener(
      (socket: Socket) => connections.add(socket, clientAddress({ socket, headers: {} })),
      (_, socket) => socket.destroy(),
    ),
  )
  filterRequests(server, (request, response) => {
    onRequest(request, response)
    return (connections.find(request.socket)?.requests ?? 0) <= maxPipelined
  })
  const onUpgrade = ({ socket }: IncomingMessage) => {
    const state = connections.find(socket)
    if (state) connections.removeFromGroup(state)
  }
  server.on(
    'upgrade',
    listener(onUpgrade, (_, { socket }) => socket.destroy()),
  )
  return {
    /** A call with a body counts from `markBodyReceived` on. Both throw TOO_MANY_SOCKETS. */
    countCall(request: IncomingMessage, response: ServerResponse, teamId: string): void {
      const startCount = () => holdCall(teamId, response)
      const state = connections.find(request.socket)
      if (state?.awaitedRequest === request) return void pendingCounts.set(request, startCount)
      startCount()
      if (state) connections.removeFromGroup(state)
    },
    awaitBody(request: IncomingMessage, owner: string): void {
      const state = connections.find(request.socket)
      if (!state) return
      state.awaitedRequest = request
      connections.setOwner(state, owner)
    },
    markBodyReceived(request: IncomingMessage): void {
      const state = connections.find(request.socket)
      if (state?.awaitedRequest === request) connections.removeFromGroup(state)
      pendingCounts.get(request)?.()
      pendingCounts.delete(request)
    },
    closeUnused: () => connections.closeUnused(),
  }
}

export type Connections = ReturnType<typeof limitConnections>

/** Node emits all requests of one packet in one tick, even after their connection was destroyed. */
function filterRequests(
  server: Server,
  mayHandle: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  const onFilteredRequest = (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return
    if (!mayHandle(request, response)) request.socket.destroy()
    else for (const requestListener of listeners) requestListener.call(server, request, response)
  }
  server.on(
    'request',
    listener(onFilteredRequest, (_, { socket }) => socket.destroy()),
  )
}

class EvictableConnections {
  readonly #states = new Map<Socket, ConnectionState>()
  readonly #groups = new Map<string, Group>()
  readonly #max: number
  readonly #log: Log
  #isFull = false

  constructor({ maxConnections, log }: ConnectionDeps) {
    this.#max = maxConnections
    this.#log = log
  }

  find(socket: Socket): ConnectionState | undefined {
    return this.#states.get(socket)
  }

  add(socket: Socket, peer: string): void {
    const peerGroup = this.#groupOf(`peer ${peer}`)
    const state: ConnectionState = { socket, peer, peerGroup, requests: 0 }
    this.#states.set(socket, state)
    this.#addToGroup(state, peerGroup)
    socket.once('close', () => {
      clearTimeout(state.lingerTimer)
      this.#states.delete(socket)
      this.removeFromGroup(state)
    })
    const wasFull = this.#isFull
    this.#isFull = this.#states.size > this.#max
    if (this.#isFull && !wasFull)
      this.#log.warn({ bound: 'MAX_CONNECTIONS', most: this.#max }, 'too many connections; some are evicted')
    if (this.#isFull) this.#evict()
  }

  setOwner(state: ConnectionState, owner: string): void {
    this.#addToGroup(state, this.#groupOf(owner))
  }

  finishRequest(state: ConnectionState, request: IncomingMessage): void {
    state.requests -= 1
    if (state.socket.destroyed) return
    if (!request.complete) {
      // Node destroys the socket at this timeout and resets the timeout for the next request.
      state.socket.setTimeout(lingerQuietMs)
      state.lingerTimer = setTimeout(() => state.socket.destroy(), lingerMs).unref()
    }
    if (state.requests > 0) return
    state.awaitedRequest = undefined
    this.#addToGroup(state, state.peerGroup)
  }

  removeFromGroup(state: ConnectionState): void {
    state.group?.delete(state)
    state.group = undefined
  }

  /** Clients open connections ahead of their requests. Node counts those without a received byte as busy. */
  closeUnused(): void {
    for (const { socket, group } of this.#states.values())
      if (group !== undefined && socket.bytesRead === 0) socket.destroy()
  }

  /** A group holds at most half of all connections. */
  #addToGroup(state: ConnectionState, group: Group): void {
    this.removeFromGroup(state)
    state.group = group.add(state)
    if (group.size > this.#max / 2) this.#evictOldest(group)
  }

  /** Empty groups are retained, because their clients usually send another request soon. */
  #groupOf(name: string): Group {
    const existing = this.#groups.get(name)
    if (existing) return existing
    if (this.#groups.size > 2 * this.#max) this.#dropEmptyGroups()
    const group: Group = new Set()
    this.#groups.set(name, group)
    return group
  }

  #dropEmptyGroups(): void {
    const used = new Set([...this.#states.values()].map(({ peerGroup }) => peerGroup))
    for (const [name, group] of this.#groups)
      if (group.size === 0 && !used.has(group)) this.#groups.delete(name)
  }

  #evict(): void {
    for (;;) {
      let largest: Group = new Set()
      for (const group of this.#groups.values()) if (group.size > largest.size) largest = group
      if (largest.size === 0 || this.#evictOldest(largest)) return
    }
  }

  /** Skips connections whose body has arrived in the meantime: they are in use. */
  #evictOldest(group: Group): boolean {
    for (const state of group) {
      this.removeFromGroup(state)
      if (state.awaitedRequest?.complete) continue
      state.socket.destroy()
      return true
    }
    return false
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** One team gets half of all connections for its calls, all teams three quarters; a tenth is for teams without calls. */
function createCallLimiter(maxConnections: number) {
  const perTeam = Math.floor(maxConnections / 2)
  const all = Math.floor((maxConnections * 3) / 4)
  const spare = Math.ceil(maxConnections / 10)
  const permits = new Permits({ count: all - spare, spare })
  return (teamId: string, response: Closable): void => {
    if (permits.heldBy(teamId) >= perTeam) throw createTooManyError('this team has', perTeam, maxConnections)
    const permit = permits.tryRun({ team: teamId }, () => untilClosed(response))
    if (!permit) throw createTooManyError('all teams together have', all, maxConnections)
  }
}

function createTooManyError(subject: string, max: number, maxConnections: number): AppError {
  const message = `Too many calls are in progress: ${subject} at most ${max} at once (MAX_CONNECTIONS: ${maxConnections}). Wait until some of them are answered, or use a batch.`
  return new AppError('TOO_MANY_SOCKETS', { bound: 'MAX_CONNECTIONS', most: max, retryAfter: 5 }, { message })
}
