import { AppError } from '../base/errors.ts'
import { Permits } from '../base/permits.ts'
import { type Closable, untilClosed } from './until-closed.ts'

/**
 * Counts calls in progress. Each of them occupies a connection, for minutes if it waits for a slot of its team. One team has
 * at most half of all connections for its calls, and all teams have three quarters: new connections always find room, and a
 * tenth is for teams that have no call in progress.
 */
export function callCounts(maxConnections: number) {
  const perTeam = Math.floor(maxConnections / 2)
  const all = Math.floor((maxConnections * 3) / 4)
  const spare = Math.ceil(maxConnections / 10)
  const permits = new Permits({ count: all - spare, spare })
  return {
    /** Counts a call of a team until its response has closed. */
    hold(teamId: string, response: Closable): void {
      if (permits.heldBy(teamId) >= perTeam) throw tooMany('this team has', perTeam, maxConnections)
      const held = permits.tryRun({ team: teamId }, () => untilClosed(response))
      if (!held) throw tooMany('all teams together have', all, maxConnections)
    },
  }
}

function tooMany(who: string, most: number, maxConnections: number): AppError {
  const message = `Too many calls are in progress: ${who} at most ${most} at once (MAX_CONNECTIONS: ${maxConnections}). Wait until some of them are answered, or use a batch.`
  return new AppError('TOO_MANY_SOCKETS', { bound: 'MAX_CONNECTIONS', most, retryAfter: 5 }, { message })
}
