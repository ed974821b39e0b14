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

/** A DevTools message may contain a file or a long script; a viewer sends at most pasted text. */
const maxMessageBytes = { cdp: 64 * 1024 * 1024, live: 128 * 1024 }

export function createSessionSocketHandler(deps: { app: App }): UpgradeHandler {
  // One message per tick, so that other work runs between thousands of small messages of one packet.
  const createServer = (maxPayload: number) =>
    createWebSocketServer({ maxPayload, allowSynchronousEvents: false })
  const servers = { cdp: createServer(maxMessageBytes.cdp), live: createServer(maxMessageBytes.live) }
  const raw = new Set<Duplex>()

  return {
    matches: (pathname) => /^\/(cdp|live)\//.test(pathname),
    async authorize(request, target) {
      const socketRequest = parseSocketRequest(target)
      if (!socketRequest) throw new AppError('ROUTE_NOT_FOUND')
      const ownerHeader = request.headers[ownerProcessHeader]
      const holder = ownerHeader === undefined ? undefined : String(ownerHeader)
      const location = await deps.app.sessions.locate({ ...socketRequest, holder })
      return {
        ...{ teamId: location.teamId, keyId: location.keyId },
        open({ socket, head }) {
          raw.add(socket)
          socket.once('close', () => raw.delete(socket))
          const server = socketRequest.purpose === 'cdp' ? servers.cdp : servers.live
          if (location.isHere) server.handleUpgrade(request, socket, head, location.join)
          else forwardUpgrade(request, { socket, head }, location)
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

function parseSocketRequest({ pathname, searchParams }: URL) {
  const [, kind, id] = /^\/(cdp|live)\/([^/]{1,100})\/?$/.exec(pathname) ?? []
  if (kind === undefined || id === undefined) return undefined
  const isInteractive = searchParams.get('interactive') === 'true'
  const purpose = kind === 'cdp' ? 'cdp' : isInteractive ? 'control' : 'view'
  return { purpose, id, token: searchParams.get('token') ?? '' } as const
}

/** Header with the id of the process that a connection is meant for. Other processes do not forward the connection. */
const ownerProcessHeader = 'x-winnow-session-home'

export function forwardUpgrade(
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  owner: { url: string; holder: string },
): void {
  const sendRequest = owner.url.startsWith('https:') ? httpsRequest : httpRequest
  // The target of a request may contain a host, which must not become part of the URL of the other process.
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const outgoing = sendRequest(new URL(`${owner.url}${pathname}${search}`), {
    headers: { ...request.headers, [ownerProcessHeader]: owner.holder },
    timeout: 10_000,
  })
  let hasResponded = false
  const onError = () => {
    outgoing.destroy()
    if (hasResponded) socket.destroy()
    else rejectSocket(socket, new AppError('SESSION_FAILED'))
  }
  const joinSockets = (response: IncomingMessage, peer: Socket, peerHead: Buffer) => {
    hasResponded = true
    peer.on('error', () => socket.destroy())
    peer.on('close', () => socket.destroy())
    socket.on('close', () => peer.destroy())
    // No idle timeout from here on: a connected client may be silent.
    peer.setTimeout(0)
    socket.write(responseHead(response))
    if (peerHead.length > 0) socket.write(peerHead)
    if (head.length > 0) peer.write(head)
    peer.pipe(socket).pipe(peer)
  }
  const forwardResponse = (response: IncomingMessage) => {
    hasResponded = true
    socket.write(responseHead(response))
    response.on('error', onError)
    socket.once('finish', () => socket.destroy())
    response.pipe(socket)
  }
  outgoing.on('upgrade', listener(joinSockets, onError))
  outgoing.on('response', listener(forwardResponse, onError))
  outgoing.on('timeout', onError)
  outgoing.on('error', onError)
  socket.on('close', () => outgoing.destroy())
  outgoing.end()
}

function responseHead(response: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`]
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    lines.push(`${response.rawHeaders[index]}: ${response.rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
