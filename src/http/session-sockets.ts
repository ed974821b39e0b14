import type { Duplex } from 'node:stream'
import type { App } from '../app.ts'
import { AppError } from '../base/errors.ts'
import { createWebSocketServer } from '../base/web-socket-server.ts'
import { forwardUpgrade, homeHeader } from './forward-upgrade.ts'
import type { SocketTaker } from './upgrades.ts'

/** A DevTools message may carry a file or a long script; the longest input of a viewer is a pasted text. */
const maxMessageBytes = { cdp: 64 * 1024 * 1024, live: 128 * 1024 }

/** DevTools and live view: `/cdp/{id}` and `/live/{id}`, with the right to it as a token in the address. */
export function sessionSockets(needs: { app: App }): SocketTaker {
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
      const place = await needs.app.sessions.place({ ...asked, holder })
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
