import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Relay {
  url: string
  /** Breaks every connection and refuses new ones, as a server that is gone does. */
  cut(): Promise<void>
  mend(): Promise<void>
  stop(): Promise<void>
}

/** A port that leads to a server for as long as it is wanted. */
export async function startRelay(target: string): Promise<Relay> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const outgoing = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, outgoing],
      [outgoing, client],
    ] as const) {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    if (!server.listening) return
    server.close()
    for (const socket of open) socket.resetAndDestroy()
    await once(server, 'close')
  }
  await listen(0)
  // A listening TCP server always has an address object; a string is for pipes only.
  const own = (server.address() as AddressInfo).port
  return { url: `http://127.0.0.1:${own}`, cut, mend: () => listen(own), stop: cut }
}
