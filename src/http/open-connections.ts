import type { KeyWatch } from '../accounts/key-watch.ts'
import type { Team } from '../accounts/team.ts'
import { type SocketLimits, socketCounts } from './socket-counts.ts'

/** A response or a socket. */
interface Closable {
  readonly closed: boolean
  once(event: 'close', listener: () => void): unknown
  destroy(): unknown
}

/** Team and key on whose behalf a connection is open. */
export type ConnectionOwner = Pick<Team, 'keyId'> & { teamId: string }

export interface OpenConnections {
  /**
   * Counts a connection that stays open until it closes, and ends it if its key is revoked: by `onRevoked`, else by destroying it.
   * Throws TOO_MANY_SOCKETS.
   */
  hold(owner: ConnectionOwner, connection: Closable, onRevoked?: () => void): void
  /** Counts an upgrade by its address until its key is checked. Returns a function that uncounts it. */
  knock(address: string): () => void
  count(): number
}

/** Counts the connections that stay open, by team: event streams, WebSockets, calls of /mcp, downloads. */
export function openConnections(limits: SocketLimits, keys: KeyWatch): OpenConnections {
  const counts = socketCounts(limits)
  return {
    knock: counts.knock,
    count: counts.count,
    hold({ teamId, keyId }, connection, onRevoked = () => connection.destroy()) {
      const release = counts.open(teamId)
      // The event of a connection that has closed already will not come again.
      if (connection.closed) return release()
      const unwatch = keys.watch(keyId, onRevoked)
      connection.once('close', () => {
        release()
        unwatch()
      })
    },
  }
}
