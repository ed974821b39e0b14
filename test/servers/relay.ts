import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Relay {
  url: string
  /** Breaks every connection and rejects new ones, like a server that is down. */
  cut(): Promise<void>
  mend(): Promise<void>
  stop(): Promise<void>
}

/** Starts a port that forwards to a server until the relay is cut. */
export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target)
  const openSockets = new Set<Socket>()
  const server = createServer((client) => {
    const outgoing = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, outgoing],
      [outgoing, client],
    ] as const) {
      openSockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        openSockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    if (!server.listening) return
    server.close()
    for (const socket of openSockets) socket.resetAndDestroy()
    await once(server, 'close')
  }
  await listen(0)
  // A listening TCP server always has an address object; only pipes have a string.
  const ownPort = (server.address() as AddressInfo).port
  return { url: `http://127.0.0.1:${ownPort}`, cut, mend: () => listen(ownPort), stop: cut }
}
