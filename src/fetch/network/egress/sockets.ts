import type { Socket } from 'node:net'
import type { Log } from '../../../platform/log.ts'

/** Each time is the maximum without data or progress, in milliseconds. */
export const defaultEgressLimits = {
  /** Open sockets, half to browsers and half to sites, so that neither side starves the other. */
  sockets: 1000,
  idle: 120_000,
  /** After one side of a tunnel has ended: a closed browser tab appears as an idle side. */
  halfClosed: 10_000,
  dial: 10_000,
  /** Handshake with an upstream proxy, which dials the site during it. */
  handshake: 30_000,
  listener: 60_000,
}

export type EgressLimits = typeof defaultEgressLimits

type Side = 'client' | 'outgoing'

export interface Sockets {
  /** Destroys the socket and returns false if there are too many. */
  admit(socket: Socket, side: Side): boolean
}

interface SocketOwner {
  team: string
  openSockets: Set<Socket>
}

interface TrackedSocket {
  socket: Socket
  bytes: number
  activeAt: number
}

const checkIntervalMs = 1000

/** If none is free, the team with the most sockets loses its most idle socket to a team below its share. */
export function createSockets(limits: EgressLimits, log: Log) {
  const sides = { client: createSocketSet(limits.sockets / 2), outgoing: createSocketSet(limits.sockets / 2) }
  let isFull = false

  function admit(socket: Socket, side: Side, { team, openSockets }: SocketOwner): boolean {
    // A reset can occur at any time, and needs no handling: both ends listen for the close event that follows.
    socket.on('error', () => {})
    const wasFull = isFull
    isFull = sides[side].isFull()
    if (isFull && !wasFull)
      log.warn({ side, most: limits.sockets }, 'browsers hold too many connections open')
    if (isFull && !sides[side].evictFor(team)) {
      socket.destroy()
      return false
    }
    socket.setTimeout(limits.idle)
    socket.on('timeout', () => socket.resetAndDestroy())
    sides[side].add(socket, team)
    openSockets.add(socket)
    socket.once('close', () => openSockets.delete(socket))
    return true
  }

  return {
    forTeam: (team: string, openSockets: Set<Socket>): Sockets => ({
      admit: (socket, side) => admit(socket, side, { team, openSockets }),
    }),
    destroyAll() {
      for (const side of Object.values(sides)) side.destroyAll()
    },
  }
}

function createSocketSet(maxSockets: number) {
  const teams = new Map<string, Set<TrackedSocket>>()
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function updateActivity(): void {
    const now = performance.now()
    for (const tracked of [...teams.values()].flatMap((sockets) => [...sockets])) {
      const bytes = tracked.socket.bytesRead + tracked.socket.bytesWritten
      if (bytes === tracked.bytes) continue
      tracked.bytes = bytes
      tracked.activeAt = now
    }
  }

  function remove(team: string, tracked: TrackedSocket): void {
    const sockets = teams.get(team)
    if (!sockets?.delete(tracked)) return
    count -= 1
    if (sockets.size === 0) teams.delete(team)
    if (count > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    isFull: () => count >= maxSockets,

    add(socket: Socket, team: string): void {
      const tracked = { socket, bytes: 0, activeAt: performance.now() }
      const sockets = teams.get(team) ?? new Set()
      teams.set(team, sockets)
      sockets.add(tracked)
      count += 1
      timer ??= setInterval(updateActivity, checkIntervalMs).unref()
      socket.once('close', () => remove(team, tracked))
    },

    evictFor(team: string): boolean {
      const ownCount = teams.get(team)?.size ?? 0
      const initial: [string, Set<TrackedSocket>] = [team, new Set()]
      const [largestTeam, sockets] = [...teams].reduce((a, b) => (b[1].size > a[1].size ? b : a), initial)
      const share = Math.floor(maxSockets / (teams.size + (ownCount === 0 ? 1 : 0)))
      if (largestTeam === team || ownCount >= share || sockets.size <= ownCount + 1) return false
      updateActivity()
      const [idlest] = [...sockets].toSorted((left, right) => left.activeAt - right.activeAt)
      if (!idlest) return false
      remove(largestTeam, idlest)
      idlest.socket.resetAndDestroy()
      return true
    },

    destroyAll(): void {
      for (const sockets of teams.values()) for (const { socket } of sockets) socket.destroy()
    },
  }
}
