import type { WebSocket } from 'ws'

const mostPatience = 2000

/**
 * Ends a connection with a reason. A client that does not read it, or continues to send, is disconnected soon, because
 * unsent data stays in memory until then.
 */
export function dismiss(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message')
  // A paused socket would never receive the closing handshake of the other side.
  socket.resume()
  socket.close(code, reason)
  const late = setTimeout(() => socket.terminate(), mostPatience)
  socket.once('close', () => clearTimeout(late))
}
