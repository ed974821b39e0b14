import type { WebSocket } from 'ws'

const pingEvery = 20_000

/** Detects after two pings that the other side is gone. Returns a function that stops it. */
export function keepAlive(socket: WebSocket): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, pingEvery)
  return () => clearInterval(timer)
}
