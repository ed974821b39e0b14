import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Admit } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import type { App } from '../app.ts'
import { type AppError, toAppError } from '../base/errors.ts'
import { keepAlive } from '../base/keep-alive.ts'
import type { Log } from '../base/log.ts'
import { isShort, jsonChunks } from '../base/write-json.ts'
import { type Watched, watchedIn, watchMessages } from './watch.ts'

export interface SocketNeeds {
  app: App
  authenticate: Authenticate
  admit: Admit
  log: Log
  checkOrigin: (headers: IncomingMessage['headers']) => void
  publicUrl: () => string
}

export interface Sockets {
  /** Whether connections to this path are its own. */
  takes(pathname: string): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  stop(): void
}

const mostSockets = 1000
/** More than this waits in the socket only when the other side does not read. */
const mostBuffered = 1024 * 1024

/** WebSockets that watch a crawl or a batch. The key comes as a header, or as the subprotocol, which is then echoed. */
export function watchSockets(needs: SocketNeeds): Sockets {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: 64 * 1024,
    // A browser that offered a protocol and is not answered with it breaks the connection off.
    handleProtocols: (offered) => [...offered][0] ?? false,
  })
  const stopping = new AbortController()

  async function watch(socket: WebSocket, request: IncomingMessage, watched: Watched): Promise<void> {
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, stopping.signal])
    socket.on('close', () => gone.abort())
    socket.on('error', () => gone.abort())
    const stopPinging = keepAlive(socket)
    try {
      needs.checkOrigin(request.headers)
      const team = await teamOf(needs, request)
      for await (const message of watchMessages(needs, { ...watched, team }, signal)) {
        if (signal.aborted) break
        await sendMessage(socket, message, signal)
      }
      socket.close(stopping.signal.aborted ? 1001 : 1000)
    } catch (thrown) {
      const error = toAppError(thrown)
      if (error.code === 'INTERNAL') needs.log.error({ cause: error.cause }, 'a watcher failed')
      socket.send(JSON.stringify({ type: 'error', error: error.message }))
      socket.close(closeCode(error), error.message.slice(0, 100))
    } finally {
      stopPinging()
    }
  }

  return {
    takes: (pathname) => watchedIn(pathname) !== undefined,
    upgrade(request, socket, head) {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost')
      const watched = watchedIn(pathname)
      if (!watched || server.clients.size >= mostSockets || stopping.signal.aborted) {
        const status = watched ? '503 Service Unavailable' : '404 Not Found'
        socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
        return
      }
      server.handleUpgrade(request, socket, head, (opened) => void watch(opened, request, watched))
    },
    stop() {
      stopping.abort()
      for (const socket of server.clients) socket.close(1001)
      setTimeout(() => {
        for (const socket of server.clients) socket.terminate()
      }, 500).unref()
    },
  }
}

async function teamOf(needs: SocketNeeds, request: IncomingMessage): Promise<Team> {
  const { authorization } = request.headers
  const offered = request.headers['sec-websocket-protocol']?.split(',', 1)[0]?.trim()
  const team = await needs.authenticate(
    authorization ?? (offered === undefined ? undefined : `Bearer ${offered}`),
  )
  await needs.admit(team, 'read')
  return team
}

function closeCode(error: AppError): number {
  if (error.code === 'UNAUTHORIZED') return 3000
  if (error.code === 'FORBIDDEN' || error.code === 'ORIGIN_FORBIDDEN') return 3003
  if (error.code === 'JOB_NOT_FOUND' || error.code === 'INVALID_JOB_ID') return 1008
  return 1011
}

/** In parts, as fast as they are taken: whoever does not read is cut by the server, which ends the wait. */
async function sendMessage(socket: WebSocket, message: unknown, signal: AbortSignal): Promise<void> {
  if (isShort(message, shortMessage)) socket.send(JSON.stringify(message))
  else {
    for await (const chunk of jsonChunks(message)) {
      if (signal.aborted) return
      socket.send(chunk, { fin: false, binary: false })
      await drained(socket, signal)
    }
    socket.send('', { fin: true })
  }
  await drained(socket, signal)
}

const shortMessage = 256 * 1024

async function drained(socket: WebSocket, signal: AbortSignal): Promise<void> {
  while (socket.bufferedAmount > mostBuffered && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
