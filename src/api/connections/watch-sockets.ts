import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { Team } from '../../accounts/team.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import { isShortJson, jsonChunks } from '../../platform/json/write-json.ts'
import type { Log } from '../../platform/log.ts'
import { createWebSocketServer, keepAlive } from '../../platform/web-sockets.ts'
import type { App } from '../app.ts'
import { type MatchWatchPath, type WatchableJob, watchMessages } from '../watch.ts'
import type { RequestAuthorizerDeps } from './authorize-request.ts'
import type { UpgradeHandler } from './upgrades.ts'

export interface WatchDeps extends RequestAuthorizerDeps {
  app: App
  log: Log
  matchWatch: MatchWatchPath
}

const keyRevoked = 'Unauthorized: the key of this connection was revoked. Connect with another key.'

/** Maximum bytes buffered in the socket. The buffer only fills if the client does not read. */
const maxBuffered = 1024 * 1024

/** The key comes in a header, or as the subprotocol, which the server then echoes. */
export function createWatchSocketHandler(deps: WatchDeps): UpgradeHandler {
  const server = createWebSocketServer({
    maxPayload: 64 * 1024,
    // A browser that offers a subprotocol closes the connection if the server does not echo it.
    handleProtocols: (offered) => [...offered][0] ?? false,
  })
  const stopping = new AbortController()

  async function watch(socket: WebSocket, watched: WatchableJob & { team: Team }): Promise<void> {
    const disconnect = new AbortController()
    const signal = AbortSignal.any([disconnect.signal, stopping.signal])
    socket.on('close', () => disconnect.abort())
    socket.on('error', () => disconnect.abort())
    const stopKeepAlive = keepAlive(socket)
    try {
      for await (const message of watchMessages(deps, watched, signal)) {
        if (signal.aborted) break
        await sendMessage(socket, watched.shown?.(message) ?? message, signal)
      }
      socket.close(stopping.signal.aborted ? 1001 : 1000, watched.closeReason)
    } catch (thrown) {
      reject(socket, toAppError(thrown))
    } finally {
      stopKeepAlive()
    }
  }

  function reject(socket: WebSocket, error: AppError): void {
    if (error.code === 'INTERNAL') deps.log.error({ cause: error.cause }, 'a watcher failed')
    socket.send(JSON.stringify({ type: 'error', error: error.message }))
    socket.close(closeCode(error), error.message.slice(0, 100))
  }

  return {
    matches: (pathname) => deps.matchWatch(pathname) !== undefined,
    async authorize(request, { pathname }) {
      const watched = deps.matchWatch(pathname)
      if (!watched) throw new Error('A path that is not watched was taken for one that is.')
      deps.checkOrigin(request.headers)
      const team = await authenticateTeam(deps, request)
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
        notifyRevoked() {
          if (opened) reject(opened, new AppError('UNAUTHORIZED', {}, { message: keyRevoked }))
        },
      }
    },
    /** Clients read the reason from the close code, so the upgrade is completed to send it. */
    reject(request, connection, error) {
      server.handleUpgrade(request, connection.socket, connection.head, (socket: WebSocket) => {
        socket.on('error', () => socket.terminate())
        reject(socket, error)
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

async function authenticateTeam(deps: WatchDeps, { headers }: IncomingMessage): Promise<Team> {
  const offered = headers['sec-websocket-protocol']?.split(',', 1)[0]?.trim()
  const offeredKey = offered === undefined ? undefined : `Bearer ${offered}`
  const team = await deps.authenticate(headers.authorization ?? offeredKey)
  await deps.checkRateLimit(team, 'read')
  return team
}

function closeCode(error: AppError): number {
  if (error.code === 'UNAUTHORIZED') return 3000
  if (error.code === 'FORBIDDEN' || error.code === 'ORIGIN_FORBIDDEN') return 3003
  if (error.code === 'JOB_NOT_FOUND' || error.code === 'INVALID_JOB_ID') return 1008
  return 1011
}

/** Sends as fast as the client reads. If it stops reading, `keepAlive` disconnects it and ends the wait. */
async function sendMessage(socket: WebSocket, message: unknown, signal: AbortSignal): Promise<void> {
  if (isShortJson(message, maxUnchunkedBytes)) socket.send(JSON.stringify(message))
  else {
    for await (const chunk of jsonChunks(message)) {
      if (signal.aborted) return
      socket.send(chunk, { fin: false, binary: false })
      await waitForDrain(socket, signal)
    }
    socket.send('', { fin: true })
  }
  await waitForDrain(socket, signal)
}

const maxUnchunkedBytes = 256 * 1024

async function waitForDrain(socket: WebSocket, signal: AbortSignal): Promise<void> {
  while (socket.bufferedAmount > maxBuffered && !signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
