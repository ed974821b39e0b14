import type { Sockets } from './sockets.ts'

/** Several takers of connections as one: each request goes to the one whose path it is. */
export function upgrades(takers: Sockets[]): Omit<Sockets, 'takes'> {
  return {
    upgrade(request, socket, head) {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const taker = takers.find(({ takes }) => takes(pathname))
      if (taker) taker.upgrade(request, socket, head)
      else socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    },
    stop() {
      for (const taker of takers) taker.stop()
    },
  }
}
