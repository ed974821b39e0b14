import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'

export interface RawSite {
  port: number
  /** Returns the number of accepted connections. */
  connections(): number
  stop(): Promise<void>
}

/** Starts a TCP server on a loopback address that passes each connection to `serve`. */
export async function startRawSite(
  serve: (socket: Socket) => unknown,
  listenOn: { address?: string; port?: number } = {},
): Promise<RawSite> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  server.listen(listenOn.port ?? 0, listenOn.address ?? '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; only pipes have a string.
  const { port } = server.address() as AddressInfo
  return {
    port,
    connections: () => connections,
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Starts a WebSocket server that echoes every short text message. */
export function startEchoSocket(): Promise<RawSite> {
  const server = createServer()
  server.on('upgrade', (request, socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    const lines = ['101 Switching Protocols', 'upgrade: websocket', 'connection: upgrade']
    socket.write(`HTTP/1.1 ${lines.join('\r\n')}\r\nsec-websocket-accept: ${accept}\r\n\r\n`)
    socket.on('data', (frame: Buffer) => {
      if (((frame[0] ?? 0) & 0x0f) !== 1) return socket.end()
      const size = (frame[1] ?? 0) & 0x7f
      const mask = frame.subarray(2, 6)
      const message = frame.subarray(6, 6 + size).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
      socket.write(Buffer.from([0x81, size, ...message]))
    })
  })
  return startRawSite((socket) => server.emit('connection', socket))
}
