import { AppError } from '../base/errors.ts'
import { teamShares } from '../base/team-shares.ts'

/**
 * Counts calls in progress. Each of them occupies a connection, for minutes if it waits for a slot of its team. One team has
 * at most half of all connections for its calls, and all teams have three quarters: new connections always find room, and a
 * tenth is for teams that have no call in progress.
 */
export function callCounts(maxConnections: number) {
  const perTeam = Math.floor(maxConnections / 2)
  const all = Math.floor((maxConnections * 3) / 4)
  const spare = Math.ceil(maxConnections / 10)
  const shares = teamShares({ places: all - spare, spare })
  return {
    /** Counts a call of a team. Returns a function that gives its place back, to be called once. */
    begin(teamId: string): () => void {
      if (shares.takenBy(teamId) >= perTeam) throw tooMany('this team has', perTeam, maxConnections)
      if (!shares.mayTake(teamId)) throw tooMany('all teams together have', all, maxConnections)
      shares.take(teamId)
      return () => shares.giveBack(teamId)
    },
  }
}

function tooMany(who: string, most: number, maxConnections: number): AppError {
  const message = `Too many calls are in progress: ${who} at most ${most} at once (MAX_CONNECTIONS: ${maxConnections}). Wait until some of them are answered, or use a batch.`
  return new AppError('TOO_MANY_SOCKETS', { bound: 'MAX_CONNECTIONS', most, retryAfter: 5 }, { message })
}
