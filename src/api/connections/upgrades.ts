import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Activity } from '../../platform/activity.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import { waitOrTimeout } from '../event-stream.ts'
import { rejectSocket } from '../render-error.ts'
import type { ClientAddress } from './client-address.ts'
import { type ConnectionOwner, type OpenConnections, untilClosed } from './open-connections.ts'

export interface UpgradeHandler {
  matches(pathname: string): boolean
  /** Throws if access is denied. The connection is counted for the team only after this call. */
  authorize(request: IncomingMessage, target: URL): Promise<AdmittedUpgrade>
  reject?(request: IncomingMessage, connection: Connection, error: AppError): void
  stop(): void
}

interface AdmittedUpgrade extends ConnectionOwner {
  open(connection: Connection): void
  notifyRevoked?(): void
}

export interface Connection {
  socket: Duplex
  head: Buffer
}

export type UpgradeRouter = ReturnType<typeof createUpgradeRouter>

const admitTimeoutMs = 10_000

const revokedNoticeMs = 200

export function createUpgradeRouter(
  handlers: UpgradeHandler[],
  deps: { log: Log; connections: OpenConnections; clientAddress: ClientAddress; activity: Activity },
) {
  let isStopping = false

  async function handleUpgrade(request: IncomingMessage, connection: Connection): Promise<void> {
    const { socket } = connection
    const admission = Promise.withResolvers<void>()
    const settled = Promise.race([admission.promise, untilClosed(socket)])
    deps.connections.trackPendingUpgrade(deps.clientAddress(request), settled)
    const target = URL.parse(request.url ?? '/', 'http://localhost')
    const handler = target && handlers.find(({ matches }) => matches(target.pathname))
    if (!handler) throw new AppError('ROUTE_NOT_FOUND')
    try {
      const admitted = await waitOrTimeout(handler.authorize(request, target), admitTimeoutMs)
      if (!admitted) throw new AppError('REQUEST_TIMEOUT')
      admission.resolve()
      if (socket.destroyed) return
      deps.connections.hold(admitted, socket, () => {
        admitted.notifyRevoked?.()
        setTimeout(() => socket.destroy(), admitted.notifyRevoked ? revokedNoticeMs : 0)
      })
      admitted.open(connection)
    } catch (thrown) {
      const error = toAppError(thrown)
      if (!handler.reject || error.code === 'TOO_MANY_SOCKETS') throw error
      logInternalError(error)
      handler.reject(request, connection, error)
    }
  }

  function logInternalError(error: AppError): void {
    if (error.code === 'INTERNAL') deps.log.error({ cause: error.cause }, 'an upgrade failed')
  }

  return {
    upgrade: listener(
      (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        // Add this listener first: without it, a socket error would terminate the service.
        socket.on('error', () => socket.destroy())
        // Messages of the client cause work like requests do, so they count as activity.
        socket.once('close', deps.activity.begin())
        if (isStopping) throw new AppError('STOPPING')
        return handleUpgrade(request, { socket, head })
      },
      (thrown, _, socket) => {
        const error = toAppError(thrown)
        logInternalError(error)
        rejectSocket(socket, error)
      },
    ),
    stop() {
      isStopping = true
      for (const handler of handlers) handler.stop()
    },
  }
}
