import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../base/log.ts'
import type { Dialer } from './dial.ts'
import { refuseTunnel, unreachable } from './refusal.ts'
import type { EgressLimits } from './sockets.ts'
import { readTarget } from './target.ts'

type ConnectListener = (request: IncomingMessage, client: Duplex, head: Buffer) => Promise<void>

/** Serves CONNECT, which browsers use for TLS, HTTP/2 and every WebSocket. */
export function createTunnel(needs: { dialer: Dialer; log: Log; limits: EgressLimits }): ConnectListener {
  const { dialer, log, limits } = needs
  return async (request, client, head) => {
    // The type is too wide: a TCP server only accepts sockets.
    if (!(client instanceof Socket)) return void client.destroy()
    const gone = new AbortController()
    client.once('close', () => gone.abort())
    try {
      const outgoing = await dialer.tunnel(readTarget(request.url ?? ''), gone.signal)
      // A side that is already closed would never notify the other.
      if (outgoing.destroyed) throw unreachable(new Error('The site ended the connection.'))
      if (client.destroyed) return void outgoing.destroy()
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) client.unshift(head)
      join(client, outgoing, limits)
    } catch (thrown) {
      refuseTunnel(client, thrown, log)
    }
  }
}

/** Copies bytes in both directions until both sides have ended; one side may end early and still receive. */
function join(client: Socket, outgoing: Socket, limits: EgressLimits): void {
  client.pipe(outgoing)
  outgoing.pipe(client)
  for (const [socket, other] of [
    [client, outgoing],
    [outgoing, client],
  ] as const) {
    socket.once('end', () => other.setTimeout(limits.lastWords))
    socket.once('close', () => {
      // The pipe has forwarded a clean end, and its data may still be in flight. Anything else is
      // forwarded as a reset, because a clean end would make a partial response look complete.
      if (!(socket.readableEnded && socket.writableFinished)) other.resetAndDestroy()
    })
  }
}
