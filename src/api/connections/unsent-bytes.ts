import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { listener } from '../../platform/functions.ts'

export interface UnsentBytesLimits {
  /** A connection that takes nothing for so long, while something waits for it, is cut. */
  stallMs: number
  /** Bytes of answers that wait in memory; beyond them, those that are read slowest are cut. */
  maxUnread: number
}

export interface UnsentBytesLimiter {
  /** An answer that is held in memory until its connection has taken it; call what comes back when it has. */
  hold(socket: Socket | null, bytes: number): () => void
  stop(): void
}

interface Connection {
  /** Bytes that were handed to the system when it was looked at last. */
  taken: number
  /** When it last took something, or had nothing to take. */
  movedAt: number
  /** Bytes of answers that are held for it. */
  held: number
}

const lookEvery = 500
/** One that stands still for less is only slow. */
const stillAfter = 1000

/**
 * Looks after connections on which something waits to be read: answers, events, messages of WebSockets, files. A client that
 * does not read holds a stream's worth of memory for a while, and no more.
 */
export function limitUnsentBytes(server: Server, limits: UnsentBytesLimits): UnsentBytesLimiter {
  const connections = new Map<Socket, Connection>()
  const note = (socket: Socket) => {
    connections.set(socket, { taken: 0, movedAt: performance.now(), held: 0 })
    socket.once('close', () => connections.delete(socket))
  }
  server.on(
    'connection',
    listener(note, (_, socket) => socket.destroy()),
  )

  function look(): void {
    const now = performance.now()
    let held = 0
    for (const [socket, connection] of connections) {
      const taken = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || taken !== connection.taken) connection.movedAt = now
      connection.taken = taken
      if (now - connection.movedAt >= limits.stallMs) socket.destroy()
      else held += connection.held
    }
    if (held > limits.maxUnread) cutSlowest(now, held)
  }

  function cutSlowest(now: number, held: number): void {
    let left = held
    const still = [...connections]
      .filter(([socket, { held, movedAt }]) => held > 0 && now - movedAt >= stillAfter && !socket.destroyed)
      .sort(([, one], [, other]) => one.movedAt - other.movedAt)
    for (const [socket, connection] of still) {
      if (left <= limits.maxUnread) return
      left -= connection.held
      socket.destroy()
    }
  }

  const timer = setInterval(look, lookEvery)
  timer.unref()
  return {
    hold(socket, bytes) {
      const connection = socket && connections.get(socket)
      if (connection) connection.held += bytes
      return () => {
        if (connection) connection.held -= bytes
      }
    },
    stop: () => clearInterval(timer),
  }
}
