import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import { Permits } from '../../platform/permits.ts'
import type { ClientAddress } from './client-address.ts'
import { type Closable, untilClosed } from './open-connections.ts'

/** Connections of one address or team that can be evicted, the oldest first. */
type Group = Set<ConnectionState>

interface ConnectionState {
  socket: Socket
  /** Address of the peer, and its group, to which the connection belongs while no key of a request was checked. */
  peer: string
  peerGroup: Group
  /** Requests that have not been answered. */
  requests: number
  /** Request whose body is expected; undefined while there is none. */
  awaited: IncomingMessage | undefined
  /** Ends a connection whose response was sent before its body had arrived. */
  lingering: NodeJS.Timeout | undefined
  /** Group in which the connection can be evicted; undefined while it is in use. */
  group: Group | undefined
}

interface ConnectionDeps {
  maxConnections: number
  clientAddress: ClientAddress
  log: Log
}

/** Requests of one connection that are not answered; usual clients send one at a time. */
const maxPipelined = 32

/** A response may be sent before the body has arrived. The client then has this long to send more of the body … */
const lingerQuietMs = 5000
/** … and this long to send all of it, so that it can read the response instead of finding a reset connection. */
const lingerMs = 60_000

/**
 * Bounds the connections of a server. A connection can be evicted while the key of its request has not been checked, also if
 * the response is not read, and while it waits for the body of a request. Such connections are counted by address before the
 * key was checked and by team afterwards. At the bound, the largest group loses the connection that it has had longest: a
 * client that only holds connections cannot keep others out. Connections with a call in progress are not evicted; `admit`
 * bounds their number.
 */
export function boundConnections(server: Server, deps: ConnectionDeps): Connections {
  const { clientAddress } = deps
  const connections = new EvictableConnections(deps)
  const calls = callCounts(deps.maxConnections)
  // A call with a body is in progress when the body has arrived; its connection can be evicted before.
  const begins = new WeakMap<IncomingMessage, () => void>()
  const use = (request: IncomingMessage, response: ServerResponse) => {
    const state = connections.find(request.socket)
    if (!state) return
    clearTimeout(state.lingering)
    state.requests += 1
    if (hasBody(request)) state.awaited = request
    const client = clientAddress(request)
    if (client !== state.peer) connections.countFor(state, `address ${client}`)
    response.once('close', () => connections.answered(state, request))
  }
  server.on(
    'connection',
    listener(
      (socket: Socket) => connections.add(socket, clientAddress({ socket, headers: {} })),
      (_, socket) => socket.destroy(),
    ),
  )
  answerThrough(server, (request, response) => {
    use(request, response)
    return (connections.find(request.socket)?.requests ?? 0) <= maxPipelined
  })
  const leaveHttp = ({ socket }: IncomingMessage) => {
    const state = connections.find(socket)
    if (state) connections.leave(state)
  }
  server.on(
    'upgrade',
    listener(leaveHttp, (_, { socket }) => socket.destroy()),
  )
  return {
    admit(request, response, teamId) {
      const begin = () => calls.hold(teamId, response)
      const state = connections.find(request.socket)
      if (state?.awaited === request) return void begins.set(request, begin)
      begin()
      if (state) connections.leave(state)
    },
    awaitBody(request, owner) {
      const state = connections.find(request.socket)
      if (!state) return
      state.awaited = request
      connections.countFor(state, owner)
    },
    useAgain(request) {
      const state = connections.find(request.socket)
      if (state?.awaited === request) connections.leave(state)
      begins.get(request)?.()
      begins.delete(request)
    },
    closeUnused: () => connections.closeUnused(),
  }
}

/**
 * Calls the listeners that answer only if `mayAnswer`; else the connection is destroyed. Node hands over all requests of one
 * packet in one turn, also after their connection was destroyed.
 */
function answerThrough(
  server: Server,
  mayAnswer: (request: IncomingMessage, response: ServerResponse) => boolean,
): void {
  const answering = server.listeners('request')
  server.removeAllListeners('request')
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.socket.destroyed) return
    if (!mayAnswer(request, response)) request.socket.destroy()
    else for (const next of answering) next.call(server, request, response)
  }
  server.on(
    'request',
    listener(answer, (_, { socket }) => socket.destroy()),
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
    const state: ConnectionState = {
      ...{ socket, peer, peerGroup, requests: 0, awaited: undefined, lingering: undefined, group: undefined },
    }
    this.#states.set(socket, state)
    this.#enter(state, peerGroup)
    socket.once('close', () => {
      clearTimeout(state.lingering)
      this.#states.delete(socket)
      this.leave(state)
    })
    const wasFull = this.#isFull
    this.#isFull = this.#states.size > this.#max
    if (this.#isFull && !wasFull)
      this.#log.warn({ bound: 'MAX_CONNECTIONS', most: this.#max }, 'too many connections; some are evicted')
    if (this.#isFull) this.#evict()
  }

  countFor(state: ConnectionState, owner: string): void {
    this.#enter(state, this.#groupOf(owner))
  }

  answered(state: ConnectionState, request: IncomingMessage): void {
    state.requests -= 1
    if (state.socket.destroyed) return
    if (!request.complete) linger(state)
    if (state.requests > 0) return
    state.awaited = undefined
    this.#enter(state, state.peerGroup)
  }

  leave(state: ConnectionState): void {
    state.group?.delete(state)
    state.group = undefined
  }

  closeUnused(): void {
    for (const { socket, group } of this.#states.values())
      if (group !== undefined && socket.bytesRead === 0) socket.destroy()
  }

  /** One address or team never has more than half of all connections in its group. */
  #enter(state: ConnectionState, group: Group): void {
    this.leave(state)
    state.group = group.add(state)
    if (group.size > this.#max / 2) this.#evictOldest(group)
  }

  /** Groups are kept while they are empty: most have a request again soon. */
  #groupOf(name: string): Group {
    const known = this.#groups.get(name)
    if (known) return known
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

  /** A group may contain connections whose body has arrived in the meantime: these are in use. */
  #evictOldest(group: Group): boolean {
    for (const state of group) {
      this.leave(state)
      if (state.awaited?.complete) continue
      state.socket.destroy()
      return true
    }
    return false
  }
}

export interface Connections {
  /**
   * Counts a call whose key was checked until its response closes: from now on, or from `useAgain` on if it has a body. Both
   * throw TOO_MANY_SOCKETS if its team has too many.
   */
  admit(request: IncomingMessage, response: ServerResponse, teamId: string): void
  /** Counts the connection for `owner` while the body of the request is being received. */
  awaitBody(request: IncomingMessage, owner: string): void
  /** The body has arrived: the connection is in use until the response is sent. */
  useAgain(request: IncomingMessage): void
  /** Closes connections on which nothing has arrived yet. Node counts them as busy: clients open some ahead of their calls. */
  closeUnused(): void
}

/** True if the headers announce a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}

/** The rest of the body is read and thrown away; a client that does not send it in time is cut. */
function linger(state: ConnectionState): void {
  // Node itself ends a connection whose timeout passes, and sets the timeout anew for the next request.
  state.socket.setTimeout(lingerQuietMs)
  state.lingering = setTimeout(() => state.socket.destroy(), lingerMs).unref()
}

/**
 * Counts calls in progress. Each of them occupies a connection, for minutes if it waits for a slot of its team. One team has
 * at most half of all connections for its calls, and all teams have three quarters: new connections always find room, and a
 * tenth is for teams that have no call in progress.
 */
function callCounts(maxConnections: number) {
  const perTeam = Math.floor(maxConnections / 2)
  const all = Math.floor((maxConnections * 3) / 4)
  const spare = Math.ceil(maxConnections / 10)
  const permits = new Permits({ count: all - spare, spare })
  return {
    /** Counts a call of a team until its response has closed. */
    hold(teamId: string, response: Closable): void {
      if (permits.heldBy(teamId) >= perTeam) throw tooMany('this team has', perTeam, maxConnections)
      const held = permits.tryRun({ team: teamId }, () => untilClosed(response))
      if (!held) throw tooMany('all teams together have', all, maxConnections)
    },
  }
}

function tooMany(who: string, most: number, maxConnections: number): AppError {
  const message = `Too many calls are in progress: ${who} at most ${most} at once (MAX_CONNECTIONS: ${maxConnections}). Wait until some of them are answered, or use a batch.`
  return new AppError('TOO_MANY_SOCKETS', { bound: 'MAX_CONNECTIONS', most, retryAfter: 5 }, { message })
}
