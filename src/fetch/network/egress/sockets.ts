import type { Socket } from 'node:net'
import type { Log } from '../../../platform/log.ts'

export interface EgressLimits {
  /** Open sockets, half of them to browsers and half to sites, so that neither side starves the other. */
  sockets: number
  /** How long a connection may be silent. */
  idle: number
  /** The same after one side of a tunnel has ended: a browser that closes looks as if it were only idle. */
  lastWords: number
  /** How long one address may take to accept a connection. */
  dial: number
  /** How long an upstream proxy may take to connect; longer than a dial, because it has to dial meanwhile. */
  greeting: number
  /** How long a listener stays open after its last user has left. */
  listener: number
}

export const usualLimits: EgressLimits = {
  sockets: 1000,
  idle: 120_000,
  lastWords: 10_000,
  dial: 10_000,
  greeting: 30_000,
  listener: 60_000,
}

type Side = 'client' | 'outgoing'

/** Every open socket of a team in the egress, so that limits and shutdown apply to all of them. */
export interface Sockets {
  /** Registers a socket, or destroys it and returns false if there are too many. */
  admit(socket: Socket, side: Side): boolean
}

interface Open {
  socket: Socket
  /** Its byte count at the last check, and when that last increased. */
  bytes: number
  movedAt: number
}

const betweenLooks = 1000

/**
 * All sockets of all teams. A team may use all free ones. If none is free, a team below its share takes the place
 * of the socket that has been idle longest, of the team that has the most.
 */
export function createSockets(limits: EgressLimits, log: Log) {
  const sides = { client: openSockets(limits.sockets / 2), outgoing: openSockets(limits.sockets / 2) }
  let isFull = false

  function admit(socket: Socket, side: Side, team: string): boolean {
    // A reset can occur at any time, also between two owners of the socket. No handling is needed: both ends
    // watch for the close event that follows.
    socket.on('error', () => {})
    const wasFull = isFull
    isFull = sides[side].isFull()
    if (isFull && !wasFull)
      log.warn({ side, most: limits.sockets }, 'browsers hold too many connections open')
    if (isFull && !sides[side].makeRoom(team)) {
      socket.destroy()
      return false
    }
    socket.setTimeout(limits.idle)
    socket.on('timeout', () => socket.resetAndDestroy())
    sides[side].add(socket, team)
    return true
  }

  return {
    of: (team: string): Sockets => ({ admit: (socket, side) => admit(socket, side, team) }),
    destroyAll() {
      for (const side of Object.values(sides)) side.destroyAll()
    },
  }
}

/** The sockets of one side, by team. */
function openSockets(most: number) {
  const teams = new Map<string, Set<Open>>()
  let count = 0
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const now = performance.now()
    for (const open of [...teams.values()].flatMap((held) => [...held])) {
      const bytes = open.socket.bytesRead + open.socket.bytesWritten
      if (bytes === open.bytes) continue
      open.bytes = bytes
      open.movedAt = now
    }
  }

  function remove(team: string, open: Open): void {
    const held = teams.get(team)
    if (!held?.delete(open)) return
    count -= 1
    if (held.size === 0) teams.delete(team)
    if (count > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    isFull: () => count >= most,

    add(socket: Socket, team: string): void {
      const open = { socket, bytes: 0, movedAt: performance.now() }
      const held = teams.get(team) ?? new Set()
      teams.set(team, held)
      held.add(open)
      count += 1
      timer ??= setInterval(look, betweenLooks).unref()
      socket.once('close', () => remove(team, open))
    },

    /** False: the team has reached its share. */
    makeRoom(team: string): boolean {
      const own = teams.get(team)?.size ?? 0
      const none: [string, Set<Open>] = [team, new Set()]
      const [largest, held] = [...teams].reduce((a, b) => (b[1].size > a[1].size ? b : a), none)
      const share = Math.floor(most / (teams.size + (own === 0 ? 1 : 0)))
      if (largest === team || own >= share || held.size <= own + 1) return false
      look()
      const [silent] = [...held].toSorted((left, right) => left.movedAt - right.movedAt)
      if (!silent) return false
      remove(largest, silent)
      silent.socket.resetAndDestroy()
      return true
    },

    destroyAll(): void {
      for (const held of teams.values()) for (const { socket } of held) socket.destroy()
    },
  }
}
