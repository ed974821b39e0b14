import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { listener } from '../base/listener.ts'
import type { Log } from '../base/log.ts'

/**
 * Bounds the connections of a server. Where there are too many, the one that has been without a request the longest makes
 * room: a client that only holds connections open cannot keep others out.
 */
export function boundConnections(server: Server, most: number, log: Log): Connections {
  /** Connections without a request, the longest first. */
  const idle = new Set<Socket>()
  let [open, isFull] = [0, false]

  const admit = (socket: Socket) => {
    open += 1
    idle.add(socket)
    socket.once('close', () => {
      open -= 1
      idle.delete(socket)
    })
    const wasFull = isFull
    isFull = open > most
    if (!isFull) return
    if (!wasFull) log.warn({ bound: 'MAX_CONNECTIONS', most }, 'too many connections; idle ones are closed')
    // There is one at least: the connection that has just come.
    for (const longest of idle) return void longest.destroy()
  }
  const use = ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket)
    })
  }
  server.on(
    'connection',
    listener(admit, (_, socket) => socket.destroy()),
  )
  server.on(
    'request',
    listener(use, (_, { socket }) => socket.destroy()),
  )
  server.on(
    'upgrade',
    listener(
      ({ socket }: IncomingMessage) => idle.delete(socket),
      (_, { socket }) => socket.destroy(),
    ),
  )
  return {
    closeUnused() {
      for (const socket of idle) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}

export interface Connections {
  /** Closes those on which nothing has come yet. Node counts them as busy: clients open some ahead of their calls. */
  closeUnused(): void
}
