import type { WebSocket } from 'ws'

const pingEvery = 20_000

/** A side that has gone without a word is noticed after two pings. Answers how to stop. */
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
