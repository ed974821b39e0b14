import type { WebSocket } from 'ws'

const mostPatience = 2000

/**
 * Ends a connection with a reason. Who does not read it, or goes on sending, is cut off soon: until then, what waits to be
 * sent stays in memory.
 */
export function dismiss(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message')
  // A paused one would never hear that the other side agrees.
  socket.resume()
  socket.close(code, reason)
  const late = setTimeout(() => socket.terminate(), mostPatience)
  socket.once('close', () => clearTimeout(late))
}
