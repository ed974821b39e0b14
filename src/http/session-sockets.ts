import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { App } from '../app.ts'
import { AppError, toAppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { forwardUpgrade, homeHeader } from './forward-upgrade.ts'
import { renderError } from './render-error.ts'
import type { Sockets } from './sockets.ts'

const mostSockets = 1000
/** A DevTools message may carry a file or a long script. */
const mostMessage = 64 * 1024 * 1024

/** DevTools and live view: `/cdp/{id}` and `/live/{id}`, with the right to it as a token in the address. */
export function sessionSockets(needs: { app: App; log: Log }): Sockets {
  // One message in a turn: thousands of small ones come in one piece, and others want their turn between them.
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: mostMessage,
    allowSynchronousEvents: false,
  })
  const raw = new Set<Duplex>()
  let isStopping = false

  async function join(request: IncomingMessage, socket: Duplex, head: Buffer, wish: Wish): Promise<void> {
    if (isStopping || raw.size >= mostSockets) throw new AppError('STOPPING')
    const holder = request.headers[homeHeader]
    const place = await needs.app.sessions.place({
      ...wish,
      holder: holder === undefined ? undefined : String(holder),
    })
    if (socket.destroyed) return
    if (place.isHere) server.handleUpgrade(request, socket, head, place.join)
    else forwardUpgrade(request, { socket, head }, place)
  }

  return {
    takes: (pathname) => /^\/(cdp|live)\//.test(pathname),
    upgrade(request, socket, head) {
      raw.add(socket)
      socket.once('close', () => raw.delete(socket))
      // Without a listener, a connection that breaks would end the service.
      socket.on('error', () => socket.destroy())
      const wish = wishIn(new URL(request.url ?? '/', 'http://localhost'))
      const joined = wish
        ? join(request, socket, head, wish)
        : Promise.reject(new AppError('ROUTE_NOT_FOUND'))
      joined.catch((thrown) => {
        const error = toAppError(thrown)
        if (error.code === 'INTERNAL')
          needs.log.error({ cause: error.cause }, 'a session could not be joined')
        refuse(socket, error)
      })
    },
    stop() {
      isStopping = true
      for (const socket of server.clients) socket.close(1001)
      setTimeout(() => {
        for (const socket of raw) socket.destroy()
      }, 500).unref()
    },
  }
}

interface Wish {
  purpose: 'cdp' | 'view' | 'control'
  id: string
  token: string
}

function wishIn({ pathname, searchParams }: URL): Wish | undefined {
  const [, kind, id] = /^\/(cdp|live)\/([^/]{1,100})\/?$/.exec(pathname) ?? []
  if (kind === undefined || id === undefined) return undefined
  const isInteractive = searchParams.get('interactive') === 'true'
  const purpose = kind === 'cdp' ? 'cdp' : isInteractive ? 'control' : 'view'
  return { purpose, id, token: searchParams.get('token') ?? '' }
}

function refuse(socket: Duplex, error: AppError): void {
  const { status, body } = renderError(error, '')
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
}
