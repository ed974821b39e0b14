import { AppError } from '../base/errors.ts'
import { teamShares } from '../base/team-shares.ts'

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
  const waiting = new Map<string, number>()
  const spare = Math.ceil(limits.all / 10)
  const shares = teamShares({ places: limits.all - spare, spare })

  return {
    /** Connections that are open now. */
    count: shares.taken,
    /** Counts somebody at the door; answers how to take it back, once. */
    knock(address: string): () => void {
      if ((waiting.get(address) ?? 0) >= limits.perAddress) {
        throw tooMany('MAX_UPGRADES_PER_ADDRESS', limits.perAddress)
      }
      return add(waiting, address)
    },
    /** Counts a connection of a team. Returns a function that gives its place back, once. */
    open(teamId: string): () => void {
      if (shares.takenBy(teamId) >= limits.perTeam) throw tooMany('MAX_SOCKETS_PER_TEAM', limits.perTeam)
      if (!shares.mayTake(teamId)) throw tooMany('MAX_SOCKETS', limits.all)
      shares.take(teamId)
      let isOpen = true
      return () => {
        if (isOpen) shares.giveBack(teamId)
        isOpen = false
      }
    },
  }
}

function add(counts: Map<string, number>, name: string): () => void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
  let isLeft = false
  return () => {
    if (isLeft) return
    isLeft = true
    const rest = (counts.get(name) ?? 0) - 1
    if (rest > 0) counts.set(name, rest)
    else counts.delete(name)
  }
}

function tooMany(bound: string, most: number): AppError {
  const message = `Too many connections are open (${bound}: ${most}). Close event streams, WebSockets, streams of /mcp or downloads that are no longer needed, then try again.`
  return new AppError('TOO_MANY_SOCKETS', { bound, most }, { message })
}
