import { AppError } from '../base/errors.ts'
import { Permits } from '../base/permits.ts'

export interface SocketLimits {
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
