import { AppError } from '../base/errors.ts'

export interface SocketLimits {
  /** MAX_SOCKETS: over all teams. */
  all: number
  /** MAX_SOCKETS_PER_TEAM */
  perTeam: number
  /** MAX_UPGRADES_PER_ADDRESS: of those who have not shown a key or a token yet. */
  perAddress: number
}

/** How many connections that are no longer HTTP there are, by address until they are let in, by team from then on. */
export function socketCounts(limits: SocketLimits) {
  const waiting = new Map<string, number>()
  const open = new Map<string, number>()
  let all = 0

  return {
    /** Counts somebody at the door; answers how to take it back, once. */
    knock(address: string): () => void {
      if ((waiting.get(address) ?? 0) >= limits.perAddress) {
        throw tooMany('MAX_UPGRADES_PER_ADDRESS', limits.perAddress)
      }
      return add(waiting, address)
    },
    /** Counts somebody who was let in. */
    open(teamId: string): () => void {
      if (all >= limits.all) throw tooMany('MAX_SOCKETS', limits.all)
      if ((open.get(teamId) ?? 0) >= limits.perTeam) throw tooMany('MAX_SOCKETS_PER_TEAM', limits.perTeam)
      all += 1
      const left = add(open, teamId)
      return () => {
        all -= 1
        left()
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
  const message = `Too many connections are open (${bound}: ${most}). Close some that are no longer needed, then try again.`
  return new AppError('TOO_MANY_SOCKETS', { bound, most }, { message })
}
