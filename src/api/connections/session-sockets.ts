import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { createWebSocketServer } from '../../platform/web-sockets.ts'
import type { App } from '../app.ts'
import { rejectSocket } from '../render-error.ts'
import type { UpgradeHandler } from './upgrades.ts'

/** A DevTools message may carry a file or a long script; the longest input of a viewer is a pasted text. */
const maxMessageBytes = { cdp: 64 * 1024 * 1024, live: 128 * 1024 }

/** DevTools and live view: `/cdp/{id}` and `/live/{id}`, with the right to it as a token in the address. */
export function sessionSockets(deps: { app: App }): UpgradeHandler {
  // One message in a turn: thousands of small ones come in one piece, and others want their turn between them.
  const serverFor = (maxPayload: number) =>
    createWebSocketServer({ maxPayload, allowSynchronousEvents: false })
  const servers = { cdp: serverFor(maxMessageBytes.cdp), live: serverFor(maxMessageBytes.live) }
  const raw = new Set<Duplex>()

  return {
    takes: (pathname) => /^\/(cdp|live)\//.test(pathname),
    async admit(request, target) {
      const asked = socketRequestIn(target)
      if (!asked) throw new AppError('ROUTE_NOT_FOUND')
      const named = request.headers[homeHeader]
      const holder = named === undefined ? undefined : String(named)
      const place = await deps.app.sessions.place({ ...asked, holder })
      return {
        ...{ teamId: place.teamId, keyId: place.keyId },
        open({ socket, head }) {
          raw.add(socket)
          socket.once('close', () => raw.delete(socket))
          const server = asked.purpose === 'cdp' ? servers.cdp : servers.live
          if (place.isHere) server.handleUpgrade(request, socket, head, place.join)
          else forwardUpgrade(request, { socket, head }, place)
        },
      }
    },
    stop() {
      for (const { clients } of Object.values(servers)) for (const socket of clients) socket.close(1001)
      setTimeout(() => {
        for (const socket of raw) socket.destroy()
      }, 500).unref()
    },
  }
}

interface SocketRequest {
  purpose: 'cdp' | 'view' | 'control'
  id: string
  token: string
}

function socketRequestIn({ pathname, searchParams }: URL): SocketRequest | undefined {
  const [, kind, id] = /^\/(cdp|live)\/([^/]{1,100})\/?$/.exec(pathname) ?? []
  if (kind === undefined || id === undefined) return undefined
  const isInteractive = searchParams.get('interactive') === 'true'
  const purpose = kind === 'cdp' ? 'cdp' : isInteractive ? 'control' : 'view'
  return { purpose, id, token: searchParams.get('token') ?? '' }
}

/** Names the process that a connection is meant for: any other process passes nothing on. */
const homeHeader = 'x-winnow-session-home'

/** Hands a connection over to another process of the installation, as it came in, and joins the two. */
export function forwardUpgrade(
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  to: { url: string; holder: string },
): void {
  const ask = to.url.startsWith('https:') ? httpsRequest : httpRequest
  // A request may name a host in its target, which must not become a part of the address of the other process.
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const outgoing = ask(new URL(`${to.url}${pathname}${search}`), {
    headers: { ...request.headers, [homeHeader]: to.holder },
    timeout: 10_000,
  })
  let isAnswered = false
  const failed = () => {
    outgoing.destroy()
    if (isAnswered) socket.destroy()
    else rejectSocket(socket, new AppError('SESSION_FAILED'))
  }
  const join = (answer: IncomingMessage, peer: Socket, peerHead: Buffer) => {
    isAnswered = true
    peer.on('error', () => socket.destroy())
    peer.on('close', () => socket.destroy())
    socket.on('close', () => peer.destroy())
    // From here on, silence is no fault: a connected client may have nothing to say.
    peer.setTimeout(0)
    socket.write(headOf(answer))
    if (peerHead.length > 0) socket.write(peerHead)
    if (head.length > 0) peer.write(head)
    peer.pipe(socket).pipe(peer)
  }
  const passOn = (answer: IncomingMessage) => {
    isAnswered = true
    socket.write(headOf(answer))
    answer.on('error', failed)
    socket.once('finish', () => socket.destroy())
    answer.pipe(socket)
  }
  outgoing.on('upgrade', listener(join, failed))
  outgoing.on('response', listener(passOn, failed))
  outgoing.on('timeout', failed)
  outgoing.on('error', failed)
  socket.on('close', () => outgoing.destroy())
  outgoing.end()
}

function headOf(answer: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`]
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    lines.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
