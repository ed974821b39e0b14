import { type PlaceWish, teamLines } from './team-lines.ts'
import { type ShareLimits, teamShares } from './team-shares.ts'

export type { PlaceWish } from './team-lines.ts'

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
  enter(wish: PlaceWish, signal: AbortSignal): Promise<FairPlace>
  /** A place that is free for this team now, without waiting: for callers that only take work if they have capacity. */
  tryEnter(wish: PlaceWish): FairPlace | undefined
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
    wait(wish, signal) {
      signal.throwIfAborted()
      const { me, promise } = waiting(wish, { leave: lines.leave, signal })
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
    async enter(wish, signal) {
      await places.wait(wish, signal)
      return placeOf(wish, places)
    },
    tryEnter(wish) {
      if (!lines.isEmpty() || !shares.mayTake(wish.team)) return undefined
      shares.take(wish.team)
      return placeOf(wish, places)
    },
    taken: shares.taken,
    takenBy: shares.takenBy,
    waiting: lines.waiting,
  }
}

interface Waiting extends PlaceWish {
  go(): void
}

/** A waiting entry, until it gets a place or gives up. */
function waiting(
  wish: PlaceWish,
  { leave, signal }: { leave(me: Waiting): void; signal: AbortSignal },
): { me: Waiting; promise: Promise<void> } {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const me: Waiting = {
    ...wish,
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
  wait(wish: PlaceWish, signal: AbortSignal): Promise<void>
  giveBack(team: string): void
}

function placeOf(wish: PlaceWish, places: Places): FairPlace {
  let state: 'taken' | 'paused' | 'left' = 'taken'
  const end = (now: 'paused' | 'left') => {
    if (state === 'paused') places.paused -= 1
    const wasTaken = state === 'taken'
    state = now
    if (now === 'paused') places.paused += 1
    if (wasTaken) places.giveBack(wish.team)
  }
  return {
    pause() {
      if (state === 'taken' && places.paused < places.mostPaused) end('paused')
    },
    async resume(signal) {
      if (state !== 'paused') return
      await places.wait(wish, signal)
      // It may have been released while it waited.
      if (state !== 'paused') return places.giveBack(wish.team)
      places.paused -= 1
      state = 'taken'
    },
    leave() {
      if (state !== 'left') end('left')
    },
  }
}
