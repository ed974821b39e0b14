import { once } from 'node:events'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Guard } from '../guard.ts'
import { type DialerNeeds, directDialer } from './dial.ts'
import { startProxy, urlOf } from './server.ts'
import { createSockets, type EgressLimits, type Sockets } from './sockets.ts'
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

export interface Exits {
  /** The same listener for the same team, upstream and pool, while it is in use and a little longer. */
  open(whose: ExitOwner): Promise<Exit>
  /** No exit is opened from now on. */
  isClosed(): boolean
  close(): Promise<void>
}

export interface ExitOwner {
  team: string
  upstream: URL | undefined
  /** Name of a connection pool. Its listener is closed with all connections as soon as its last user leaves. */
  pool?: string
}

interface Listener {
  server: Promise<Server>
  sockets: Set<Socket>
  closed: Promise<unknown>
  users: number
  idle: NodeJS.Timeout | undefined
}

/** The listeners of the egress, one per team and upstream. */
export function createExits(needs: { guard: Guard; log: Log }, limits: EgressLimits): Exits {
  const sockets = createSockets(limits, needs.log)
  const listeners = new Map<string, Listener>()
  let isClosed = false

  function listenerFor(key: string, { team, upstream }: ExitOwner): Listener {
    const found = listeners.get(key)
    if (found) return found
    const held = new Set<Socket>()
    const dialerNeeds: DialerNeeds = { ...needs, sockets: heldIn(held, sockets.of(team)), limits }
    const dialer = upstream ? upstreamDialer(upstream, dialerNeeds) : directDialer(dialerNeeds)
    const server = startProxy(dialer, dialerNeeds)
    const closed = server.then((started) => new Promise((resolve) => started.once('close', resolve)))
    const started: Listener = { server, sockets: held, closed, users: 0, idle: undefined }
    listeners.set(key, started)
    closed.catch(() => listeners.delete(key))
    return started
  }

  function closeIdle(key: string, server: Server, held: Set<Socket>): void {
    listeners.delete(key)
    server.close()
    dropAll(held)
  }

  return {
    isClosed: () => isClosed,
    async open(whose) {
      if (isClosed) throw new AppError('STOPPING')
      const key = JSON.stringify([whose.team, whose.upstream, whose.pool])
      const used = listenerFor(key, whose)
      used.users += 1
      clearTimeout(used.idle)
      const server = await used.server
      return exitOf(used, server, () => {
        if (whose.pool !== undefined) return closeIdle(key, server, used.sockets)
        used.idle = setTimeout(closeIdle, limits.listener, key, server, used.sockets).unref()
      })
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

/** The exit of one user; calls `unused` when the last one has released it. */
function exitOf(used: Listener, server: Server, unused: () => void): Exit {
  let hasLeft = false
  return {
    url: urlOf(server),
    connect: (socket) => void server.emit('connection', socket),
    closed: used.closed,
    dropConnections: () => dropAll(used.sockets),
    leave() {
      if (hasLeft) return
      hasLeft = true
      used.users -= 1
      if (used.users === 0) unused()
    },
  }
}
