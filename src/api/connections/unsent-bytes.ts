import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { listener } from '../../platform/functions.ts'

export interface UnsentBytesLimits {
  stallMs: number
  /** Maximum bytes of responses in memory; above it, the slowest connections are destroyed. */
  maxUnread: number
}

export type UnsentBytesLimiter = ReturnType<typeof limitUnsentBytes>

const checkIntervalMs = 500
const slowAfterMs = 1000

/** Destroys connections whose client does not read, because the rest of their response stays in memory. */
export function limitUnsentBytes(server: Server, limits: UnsentBytesLimits) {
  const connections = new Map<Socket, { sent: number; progressedAt: number; held: number }>()
  const track = (socket: Socket) => {
    connections.set(socket, { sent: 0, progressedAt: performance.now(), held: 0 })
    socket.once('close', () => connections.delete(socket))
  }
  server.on(
    'connection',
    listener(track, (_, socket) => socket.destroy()),
  )

  function check(): void {
    const now = performance.now()
    let held = 0
    for (const [socket, connection] of connections) {
      const sent = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0 || sent !== connection.sent) connection.progressedAt = now
      connection.sent = sent
      if (now - connection.progressedAt >= limits.stallMs) socket.destroy()
      else held += connection.held
    }
    if (held > limits.maxUnread) destroySlowest(now, held)
  }

  function destroySlowest(now: number, totalHeld: number): void {
    let remaining = totalHeld
    const slowest = [...connections]
      .filter(
        ([socket, { held, progressedAt }]) =>
          held > 0 && now - progressedAt >= slowAfterMs && !socket.destroyed,
      )
      .sort(([, first], [, second]) => first.progressedAt - second.progressedAt)
    for (const [socket, connection] of slowest) {
      if (remaining <= limits.maxUnread) return
      remaining -= connection.held
      socket.destroy()
    }
  }

  const timer = setInterval(check, checkIntervalMs).unref()
  return {
    hold(socket: Socket | null, bytes: number) {
      const connection = socket && connections.get(socket)
      if (connection) connection.held += bytes
      return () => {
        if (connection) connection.held -= bytes
      }
    },
    stop: () => clearInterval(timer),
  }
}
