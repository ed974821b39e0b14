import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'

type Options = Pick<ServerOptions, 'allowSynchronousEvents' | 'handleProtocols'> & { maxPayload: number }

const maxUnsentBytes = 64 * 1024

export function createWebSocketServer(options: Options) {
  const server = new WebSocketServer({ ...options, noServer: true, autoPong: false })
  return {
    clients: server.clients,
    handleUpgrade: (
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      onOpen: (opened: WebSocket) => void,
    ) =>
      server.handleUpgrade(request, socket, head, (opened) => {
        // `ws` itself replies to every ping, so the pongs of a client that does not read would fill the memory.
        opened.on('ping', (data) => {
          const isOpen = opened.readyState === opened.OPEN
          if (isOpen && opened.bufferedAmount < maxUnsentBytes) opened.pong(data)
        })
        onOpen(opened)
      }),
  }
}

const pingIntervalMs = 20_000

export function keepAlive(socket: WebSocket): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingIntervalMs)
  return () => clearInterval(timer)
}

const maxCloseMs = 2000

/** A client that does not read the reason is soon disconnected, because unsent data stays in memory until then. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message')
  // A paused socket would never receive the closing handshake of the other side.
  socket.resume()
  socket.close(code, reason)
  const timer = setTimeout(() => socket.terminate(), maxCloseMs)
  socket.once('close', () => clearTimeout(timer))
}
