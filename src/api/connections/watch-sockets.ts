import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { Authenticate } from '../../accounts/authenticate.ts'
import type { Admit } from '../../accounts/limits.ts'
import type { Team } from '../../accounts/team.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { isShort, jsonChunks } from '../../platform/json/write-json.ts'
import type { Log } from '../../platform/log.ts'
import { createWebSocketServer, keepAlive } from '../../platform/web-sockets.ts'
import type { App } from '../app.ts'
import { type MatchWatchPath, type WatchableJob, watchMessages } from '../watch.ts'
import type { UpgradeHandler } from './upgrades.ts'

export interface WatchDeps {
  app: App
  authenticate: Authenticate
  admit: Admit
  log: Log
  checkOrigin: (headers: IncomingMessage['headers']) => void
  publicUrl: () => string
  /** Where jobs are watched, in any version of the API. */
  watchedIn: MatchWatchPath
}

const keyRevoked = 'Unauthorized: the key of this connection was revoked. Connect with another key.'

/** More than this waits in the socket only when the other side does not read. */
const maxBuffered = 1024 * 1024

/** WebSockets that watch a crawl or a batch. The key comes as a header, or as the subprotocol, which is then echoed. */
export function watchSockets(deps: WatchDeps): UpgradeHandler {
  const server = createWebSocketServer({
    maxPayload: 64 * 1024,
    // A browser that offered a protocol and is not answered with it breaks the connection off.
    handleProtocols: (offered) => [...offered][0] ?? false,
  })
  const stopping = new AbortController()

  async function watch(socket: WebSocket, watched: WatchableJob & { team: Team }): Promise<void> {
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, stopping.signal])
    socket.on('close', () => gone.abort())
    socket.on('error', () => gone.abort())
    const stopPinging = keepAlive(socket)
    try {
      for await (const message of watchMessages(deps, watched, signal)) {
        if (signal.aborted) break
        await sendMessage(socket, watched.shown?.(message) ?? message, signal)
      }
      socket.close(stopping.signal.aborted ? 1001 : 1000, watched.lastWords)
    } catch (thrown) {
      turnAway(socket, toAppError(thrown))
    } finally {
      stopPinging()
    }
  }

  const turnAway = (socket: WebSocket, error: AppError) => sendRefusal(deps.log, socket, error)

  return {
    takes: (pathname) => deps.watchedIn(pathname) !== undefined,
    async admit(request, { pathname }) {
      const watched = deps.watchedIn(pathname)
      if (!watched) throw new Error('A path that is not watched was taken for one that is.')
      deps.checkOrigin(request.headers)
      const team = await teamOf(deps, request)
      let opened: WebSocket | undefined
      const start = listener(
        (socket: WebSocket) => {
          opened = socket
          return watch(socket, { ...watched, team })
        },
        (cause, socket) => {
          deps.log.error({ cause }, 'a watcher failed')
          socket.terminate()
        },
      )
      return {
        ...{ teamId: team.id, keyId: team.keyId },
        open: ({ socket, head }) => server.handleUpgrade(request, socket, head, start),
        tellRevoked() {
          if (opened) turnAway(opened, new AppError('UNAUTHORIZED', {}, { message: keyRevoked }))
        },
      }
    },
    /** Clients read the reason from the code of a close, so it takes a WebSocket to tell them; it ends with that. */
    refuse(request, connection, error) {
      server.handleUpgrade(request, connection.socket, connection.head, (socket: WebSocket) => {
        socket.on('error', () => socket.terminate())
        turnAway(socket, error)
        connection.socket.end(() => connection.socket.destroy())
      })
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

async function teamOf(deps: WatchDeps, request: IncomingMessage): Promise<Team> {
  const { authorization } = request.headers
  const offered = request.headers['sec-websocket-protocol']?.split(',', 1)[0]?.trim()
  const team = await deps.authenticate(
    authorization ?? (offered === undefined ? undefined : `Bearer ${offered}`),
  )
  await deps.admit(team, 'read')
  return team
}

function sendRefusal(log: Log, socket: WebSocket, error: AppError): void {
  if (error.code === 'INTERNAL') log.error({ cause: error.cause }, 'a watcher failed')
  socket.send(JSON.stringify({ type: 'error', error: error.message }))
  socket.close(closeCode(error), error.message.slice(0, 100))
}

function closeCode(error: AppError): number {
  if (error.code === 'UNAUTHORIZED') return 3000
  if (error.code === 'FORBIDDEN' || error.code === 'ORIGIN_FORBIDDEN') return 3003
  if (error.code === 'JOB_NOT_FOUND' || error.code === 'INVALID_JOB_ID') return 1008
  return 1011
}

/** In parts, as fast as they are taken: the server cuts a client that does not read, which ends the wait. */
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
  while (socket.bufferedAmount > maxBuffered && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
