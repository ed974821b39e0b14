import type { Socket } from 'node:net'
import type { Log } from '../base/log.ts'

export interface EgressLimits {
  /** Open sockets, half of them for browsers and half for what they reach, so that neither starves the other. */
  sockets: number
  /** How long a connection may be silent. */
  idle: number
  /** The same after one side of a tunnel has ended: a browser that closes looks as if it only fell silent. */
  lastWords: number
  /** How long one address may take to accept a connection. */
  dial: number
  /** How long an upstream proxy may take to connect; longer than a dial, because it has to dial meanwhile. */
  greeting: number
}

export const usualLimits: EgressLimits = {
  sockets: 1000,
  idle: 120_000,
  lastWords: 10_000,
  dial: 10_000,
  greeting: 30_000,
}

export type Side = 'client' | 'outgoing'

/** Every open socket of the egress, so that the limits and the end hold for all of them. */
export interface Sockets {
  /** Takes a socket in, or destroys it and answers false when there are too many. */
  admit(socket: Socket, side: Side): boolean
  destroyAll(): void
}

export function createSockets(limits: EgressLimits, log: Log): Sockets {
  const open: Record<Side, Set<Socket>> = { client: new Set(), outgoing: new Set() }
  let isFull = false
  return {
    admit(socket, side) {
      // A reset can come at any time, also between two owners of the socket, and nobody has to be told: both ends
      // watch for the close that follows.
      socket.on('error', () => {})
      const wasFull = isFull
      isFull = open[side].size >= limits.sockets / 2
      if (isFull) {
        socket.destroy()
        if (!wasFull) log.warn({ side, most: limits.sockets }, 'browsers hold too many connections open')
        return false
      }
      socket.setTimeout(limits.idle)
      socket.on('timeout', () => socket.resetAndDestroy())
      open[side].add(socket)
      socket.once('close', () => open[side].delete(socket))
      return true
    },
    destroyAll() {
      for (const socket of [...open.client, ...open.outgoing]) socket.destroy()
    },
  }
}
