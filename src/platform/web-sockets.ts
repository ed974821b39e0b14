import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'

export interface WebSocketAcceptor {
  clients: Set<WebSocket>
  handleUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    onOpen: (opened: WebSocket) => void,
  ): void
}

type Options = Pick<ServerOptions, 'allowSynchronousEvents' | 'handleProtocols'> & { maxPayload: number }

/** Maximum number of unsent bytes up to which a ping gets a pong. */
const maxUnsentBytes = 64 * 1024

/** Creates the WebSocket server of a route; the caller passes the connections to upgrade. */
export function createWebSocketServer(options: Options): WebSocketAcceptor {
  const server = new WebSocketServer({ ...options, noServer: true, autoPong: false })
  return {
    clients: server.clients,
    handleUpgrade: (request, socket, head, onOpen) =>
      server.handleUpgrade(request, socket, head, (opened) => {
        replyToPings(opened)
        onOpen(opened)
      }),
  }
}

/**
 * Replies to pings while the client reads. `ws` itself replies to every ping, so the pongs of a client that does not
 * read would fill the memory. The protocol requires a pong for the latest ping only.
 */
function replyToPings(socket: WebSocket): void {
  socket.on('ping', (data) => {
    const isOpen = socket.readyState === socket.OPEN
    if (isOpen && socket.bufferedAmount < maxUnsentBytes) socket.pong(data)
  })
}

const pingIntervalMs = 20_000

/** Terminates the connection if the last ping got no pong. Returns a function that stops the check. */
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

/**
 * Closes a connection with a reason. A client that does not read the reason, or continues to send, is disconnected
 * soon, because unsent data stays in memory until then.
 */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message')
  // A paused socket would never receive the closing handshake of the other side.
  socket.resume()
  socket.close(code, reason)
  const timer = setTimeout(() => socket.terminate(), maxCloseMs)
  socket.once('close', () => clearTimeout(timer))
}
