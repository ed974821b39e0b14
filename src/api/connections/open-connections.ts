import type { FastifyReply } from 'fastify'
import type { KeyWatch } from '../../accounts/key-watch.ts'
import type { Team } from '../../accounts/team.ts'
import { AppError } from '../../platform/errors.ts'
import { Permits } from '../../platform/permits.ts'

/** Team and key on whose behalf a connection is open. */
export type ConnectionOwner = Pick<Team, 'keyId'> & { teamId: string }

export interface OpenConnections {
  /**
   * Counts a connection that stays open until it closes, and ends it if its key is revoked: by `onRevoked`, else by destroying it.
   * Throws TOO_MANY_SOCKETS.
   */
  hold(owner: ConnectionOwner, connection: Closable & { destroy(): unknown }, onRevoked?: () => void): void
  /** Counts an upgrade by its address until the promise settles: until its key is checked, or its connection has closed. */
  knock(address: string, until: Promise<unknown>): void
  count(): number
}

/** Counts the connections that stay open, by team: event streams, WebSockets, calls of /mcp, downloads. */
export function createOpenConnections(limits: SocketLimits, keys: KeyWatch): OpenConnections {
  const counts = socketCounts(limits)
  return {
    knock: counts.knock,
    count: counts.count,
    hold({ teamId, keyId }, connection, onRevoked = () => connection.destroy()) {
      const closed = untilClosed(connection)
      counts.open(teamId, closed)
      void closed.then(keys.watch(keyId, onRevoked))
    },
  }
}

interface SocketLimits {
  /** MAX_SOCKETS: over all teams. */
  all: number
  /** MAX_SOCKETS_PER_TEAM */
  perTeam: number
  /** MAX_UPGRADES_PER_ADDRESS: of those who have not shown a key or a token yet. */
  perAddress: number
}

/**
 * Counts connections that stay open: those that are to become WebSockets by address until their key is known, all others by team.
 * A tenth of the total is for teams that have none open, so no number of other teams can lock them out.
 */
export function socketCounts(limits: SocketLimits) {
  const upgrades = new Permits({ count: Number.POSITIVE_INFINITY, perTeam: limits.perAddress })
  const spare = Math.ceil(limits.all / 10)
  const connections = new Permits({ count: limits.all - spare, spare })

  return {
    /** Connections that are open now. */
    count: () => connections.held(),
    /** Counts an upgrade of an address until the promise settles. */
    knock(address: string, until: Promise<unknown>): void {
      const held = upgrades.tryRun({ team: address }, () => until)
      if (!held) throw tooMany('MAX_UPGRADES_PER_ADDRESS', limits.perAddress)
    },
    /** Counts a connection of a team until the promise settles. */
    open(teamId: string, until: Promise<unknown>): void {
      if (connections.heldBy(teamId) >= limits.perTeam) throw tooMany('MAX_SOCKETS_PER_TEAM', limits.perTeam)
      const held = connections.tryRun({ team: teamId }, () => until)
      if (!held) throw tooMany('MAX_SOCKETS', limits.all)
    },
  }
}

function tooMany(bound: string, most: number): AppError {
  const message = `Too many connections are open (${bound}: ${most}). Close event streams, WebSockets, streams of /mcp or downloads that are no longer needed, then try again.`
  return new AppError('TOO_MANY_SOCKETS', { bound, most }, { message })
}

/** Aborts when the caller has gone before it was answered, and when the service stops and cannot wait for the call any longer. */
export function createDisconnectSignal(reply: FastifyReply): AbortSignal {
  // Its close event has been, so a listener would never be removed.
  if (reply.raw.destroyed) return AbortSignal.abort(new Error('The caller has gone.'))
  const controller = new AbortController()
  const { interrupted } = reply.server
  const interrupt = () => controller.abort(interrupted.reason)
  if (interrupted.aborted) interrupt()
  interrupted.addEventListener('abort', interrupt)
  // A response closes once, whether it was sent or its connection was lost before.
  reply.raw.once('close', () => {
    interrupted.removeEventListener('abort', interrupt)
    if (!reply.raw.writableFinished) controller.abort(new Error('The caller has gone.'))
  })
  return controller.signal
}

/** A response or a socket. */
export interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Resolves when a connection has closed. */
export async function untilClosed(connection: Closable): Promise<void> {
  // The event of a connection that has closed already does not come again.
  if (!connection.closed) await new Promise<void>((resolve) => connection.once('close', resolve))
}
