import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Log } from '../../base/log.ts'
import type { Way } from './dial.ts'
import { refuseTunnel, unreachable } from './refusal.ts'
import type { EgressLimits } from './sockets.ts'
import { readTarget } from './target.ts'

type ConnectListener = (request: IncomingMessage, client: Duplex, head: Buffer) => Promise<void>

/** Serves CONNECT: what TLS, HTTP/2 and every WebSocket of a browser go through. */
export function createTunnel(needs: { way: Way; log: Log; limits: EgressLimits }): ConnectListener {
  const { way, log, limits } = needs
  return async (request, client, head) => {
    // The type is wider than the truth: what a server on TCP accepts are sockets.
    if (!(client instanceof Socket)) return void client.destroy()
    const gone = new AbortController()
    client.once('close', () => gone.abort())
    try {
      const outgoing = await way.tunnel(readTarget(request.url ?? ''), gone.signal)
      // Whoever is gone already would never tell the other.
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

/** Bytes both ways until both sides have said their last; one side may end early and still listen. */
function join(client: Socket, outgoing: Socket, limits: EgressLimits): void {
  client.pipe(outgoing)
  outgoing.pipe(client)
  for (const [socket, other] of [
    [client, outgoing],
    [outgoing, client],
  ] as const) {
    socket.once('end', () => other.setTimeout(limits.lastWords))
    socket.once('close', () => {
      // A clean end has been passed on by the pipe, and what it carried may still be on its way. Anything else is
      // passed on as a reset, because a mere end would make half an answer look whole.
      if (!(socket.readableEnded && socket.writableFinished)) other.resetAndDestroy()
    })
  }
}
