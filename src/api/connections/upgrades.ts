import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Activity } from '../../platform/activity.ts'
import { AppError, toAppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { Log } from '../../platform/log.ts'
import { rejectSocket } from '../render-error.ts'
import type { ClientAddress } from './client-address.ts'
import type { ConnectionOwner, OpenConnections } from './open-connections.ts'
import { untilClosed } from './open-connections.ts'

/** One kind of connection that becomes something else than HTTP. */
export interface UpgradeHandler {
  /** Whether connections to this path are its own. */
  takes(pathname: string): boolean
  /** Says who comes in; throws for those who may not. Nothing of the connection counts before. */
  admit(request: IncomingMessage, target: URL): Promise<Admitted>
  /** Answers somebody who was not let in, where that has a form of its own. */
  refuse?(request: IncomingMessage, connection: Connection, error: AppError): void
  stop(): void
}

interface Admitted extends ConnectionOwner {
  open(connection: Connection): void
  /** Tells the client that its key was revoked; the connection is destroyed a moment later. */
  tellRevoked?(): void
}

export interface Connection {
  socket: Duplex
  head: Buffer
}

export interface UpgradeRouter {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  stop(): void
}

/** A client that has not shown a key or a token by then is sent away. */
const maxMsToAdmit = 10_000

/** Time for a client to read that its key was revoked. */
const msToTell = 200

interface UpgradeDeps {
  log: Log
  connections: OpenConnections
  clientAddress: ClientAddress
  activity: Activity
}

/** The road of every upgrade: counted by address, sent to the one whose path it is, let in, counted by team. */
export function createUpgradeRouter(takers: UpgradeHandler[], deps: UpgradeDeps): UpgradeRouter {
  let isStopping = false

  async function enter(request: IncomingMessage, connection: Connection): Promise<void> {
    const { socket } = connection
    const admission = Promise.withResolvers<void>()
    const left = Promise.race([admission.promise, untilClosed(socket)])
    deps.connections.knock(deps.clientAddress(request), left)
    const target = URL.parse(request.url ?? '/', 'http://localhost')
    const taker = target && takers.find(({ takes }) => takes(target.pathname))
    if (!taker) throw new AppError('ROUTE_NOT_FOUND')
    try {
      const admitted = await within(maxMsToAdmit, taker.admit(request, target))
      admission.resolve()
      if (socket.destroyed) return
      deps.connections.hold(admitted, socket, () => {
        admitted.tellRevoked?.()
        setTimeout(() => socket.destroy(), admitted.tellRevoked ? msToTell : 0)
      })
      admitted.open(connection)
    } catch (thrown) {
      const error = toAppError(thrown)
      if (!taker.refuse || error.code === 'TOO_MANY_SOCKETS') throw error
      tell(error)
      taker.refuse(request, connection, error)
    }
  }

  function tell(error: AppError): void {
    if (error.code === 'INTERNAL') deps.log.error({ cause: error.cause }, 'an upgrade failed')
  }

  return {
    upgrade: listener(
      (request: IncomingMessage, socket: Duplex, head: Buffer) => {
        // First of all: without a listener, a connection that breaks would end the service.
        socket.on('error', () => socket.destroy())
        // What a client sends through it makes work as a call does.
        socket.once('close', deps.activity.begin())
        if (isStopping) throw new AppError('STOPPING')
        return enter(request, { socket, head })
      },
      (thrown, _, socket) => {
        const error = toAppError(thrown)
        tell(error)
        rejectSocket(socket, error)
      },
    ),
    stop() {
      isStopping = true
      for (const taker of takers) taker.stop()
    },
  }
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  const tooLong = Promise.withResolvers<never>()
  const timer = setTimeout(() => tooLong.reject(new AppError('REQUEST_TIMEOUT')), milliseconds)
  try {
    return await Promise.race([work, tooLong.promise])
  } finally {
    clearTimeout(timer)
  }
}
