import type { KeyWatch } from '../accounts/key-watch.ts'
import type { Team } from '../accounts/team.ts'
import { type SocketLimits, socketCounts } from './socket-counts.ts'
import { type Closable, untilClosed } from './until-closed.ts'

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
export function openConnections(limits: SocketLimits, keys: KeyWatch): OpenConnections {
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
