import { type PlaceRequest, teamLines } from './team-lines.ts'
import { type ShareLimits, teamShares } from './team-shares.ts'

export type { PlaceRequest } from './team-lines.ts'

export interface FairLimits extends ShareLimits {
  /** How many holders that only wait may lend their place; further ones keep it. */
  paused?: number
}

export interface FairPlace {
  /** Lends the place to others while its holder waits for something external. */
  pause(): void
  /** Takes a place again, in turn; immediately if it was never lent. */
  resume(signal: AbortSignal): Promise<void>
  leave(): void
}

export interface FairPlaces {
  enter(request: PlaceRequest, signal: AbortSignal): Promise<FairPlace>
  /** A place that is free for this team now, without waiting: for callers that only take work if they have capacity. */
  tryEnter(request: PlaceRequest): FairPlace | undefined
  taken(): number
  takenBy(team: string): number
  waiting(): number
}

/**
 * A fixed number of places, shared by teams: a free one goes to the team that holds the fewest, and among equals to the one
 * that was served longest ago. Within a team, foreground calls come first, then the order of requests.
 */
export function fairPlaces(limits: FairLimits): FairPlaces {
  const shares = teamShares(limits)
  const lines = teamLines<Waiting>(shares)

  function serve(): void {
    for (let next = lines.next(); next; next = lines.next()) {
      shares.take(next.team)
      next.go()
    }
  }

  const places: Places = {
    mostPaused: limits.paused ?? 0,
    paused: 0,
    wait(request, signal) {
      signal.throwIfAborted()
      const { me, promise } = waiting(request, { leave: lines.leave, signal })
      lines.join(me)
      serve()
      return promise
    },
    giveBack(team) {
      shares.giveBack(team)
      serve()
    },
  }

  return {
    async enter(request, signal) {
      await places.wait(request, signal)
      return placeOf(request, places)
    },
    tryEnter(request) {
      if (!lines.isEmpty() || !shares.mayTake(request.team)) return undefined
      shares.take(request.team)
      return placeOf(request, places)
    },
    taken: shares.taken,
    takenBy: shares.takenBy,
    waiting: lines.waiting,
  }
}

interface Waiting extends PlaceRequest {
  go(): void
}

/** A waiting entry, until it gets a place or gives up. */
function waiting(
  request: PlaceRequest,
  { leave, signal }: { leave(me: Waiting): void; signal: AbortSignal },
): { me: Waiting; promise: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const me: Waiting = {
    ...request,
    go() {
      signal.removeEventListener('abort', giveUp)
      resolve()
    },
  }
  const giveUp = () => {
    leave(me)
    reject(signal.reason)
  }
  signal.addEventListener('abort', giveUp, { once: true })
  return { me, promise }
}

/** What a place needs from the whole set. */
interface Places {
  mostPaused: number
  paused: number
  wait(request: PlaceRequest, signal: AbortSignal): Promise<void>
  giveBack(team: string): void
}

function placeOf(request: PlaceRequest, places: Places): FairPlace {
  let state: 'taken' | 'paused' | 'left' = 'taken'
  const end = (now: 'paused' | 'left') => {
    if (state === 'paused') places.paused -= 1
    const wasTaken = state === 'taken'
    state = now
    if (now === 'paused') places.paused += 1
    if (wasTaken) places.giveBack(request.team)
  }
  return {
    pause() {
      if (state === 'taken' && places.paused < places.mostPaused) end('paused')
    },
    async resume(signal) {
      if (state !== 'paused') return
      await places.wait(request, signal)
      // It may have been released while it waited.
      if (state !== 'paused') return places.giveBack(request.team)
      places.paused -= 1
      state = 'taken'
    },
    leave() {
      if (state !== 'left') end('left')
    },
  }
}
