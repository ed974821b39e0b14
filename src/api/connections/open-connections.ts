import type { FastifyReply } from 'fastify'
import type { KeyWatch } from '../../accounts/key-watch.ts'
import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import { Permits } from '../../platform/permits.ts'

export type ConnectionOwner = Pick<Team, 'keyId'> & { teamId: string }

export type OpenConnections = ReturnType<typeof createOpenConnections>

/** Counts long-lived connections by team: event streams, WebSockets, streams of /mcp, downloads. */
export function createOpenConnections(limits: SocketLimits, keys: KeyWatch) {
  const { open, ...counts } = createSocketCounts(limits)
  return {
    ...counts,
    hold(
      { teamId, keyId }: ConnectionOwner,
      connection: Closable & { destroy(): unknown },
      onRevoked: () => void = () => connection.destroy(),
    ): void {
      const closed = untilClosed(connection)
      open(teamId, closed)
      void closed.then(keys.watch(keyId, onRevoked))
    },
  }
}

interface SocketLimits {
  all: number
  perTeam: number
  perAddress: number
}

/** A tenth of the total is reserved for teams without open connections, so others cannot lock them out. */
export function createSocketCounts(limits: SocketLimits) {
  const upgrades = new Permits({ count: Number.POSITIVE_INFINITY, perTeam: limits.perAddress })
  const spare = Math.ceil(limits.all / 10)
  const connections = new Permits({ count: limits.all - spare, spare })

  return {
    count: () => connections.held(),
    trackPendingUpgrade(address: string, until: Promise<unknown>): void {
      const permit = upgrades.tryRun({ team: address }, () => until)
      if (!permit) throw createTooManyError('MAX_UPGRADES_PER_ADDRESS', limits.perAddress)
    },
    open(teamId: string, until: Promise<unknown>): void {
      if (connections.heldBy(teamId) >= limits.perTeam)
        throw createTooManyError('MAX_SOCKETS_PER_TEAM', limits.perTeam)
      const permit = connections.tryRun({ team: teamId }, () => until)
      if (!permit) throw createTooManyError('MAX_SOCKETS', limits.all)
    },
  }
}

function createTooManyError(bound: string, max: number): AppError {
  const message = `Too many connections are open (${bound}: ${max}). Close event streams, WebSockets, streams of /mcp or downloads that are no longer needed, then try again.`
  return new AppError('TOO_MANY_SOCKETS', { bound, most: max }, { message })
}

/** Aborts when the client disconnects early, or when a stopping service interrupts the request. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  // The close event has already fired, so a listener would never be removed.
  if (reply.raw.destroyed) return AbortSignal.abort(new Error('The caller has gone.'))
  const controller = new AbortController()
  const { interrupted } = reply.server
  const interrupt = () => controller.abort(interrupted.reason)
  if (interrupted.aborted) interrupt()
  interrupted.addEventListener('abort', interrupt)
  // A response closes exactly once, whether it was sent or its connection was lost.
  reply.raw.once('close', () => {
    interrupted.removeEventListener('abort', interrupt)
    if (!reply.raw.writableFinished) controller.abort(new Error('The caller has gone.'))
  })
  return controller.signal
}

export interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

export async function untilClosed(connection: Closable): Promise<void> {
  // The close event of a closed connection does not fire again.
  if (!connection.closed) await new Promise<void>((resolve) => connection.once('close', resolve))
}
