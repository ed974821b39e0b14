import { type PlaceWish, teamLines } from './team-lines.ts'
import { type ShareLimits, teamShares } from './team-shares.ts'

export type { PlaceWish } from './team-lines.ts'

export interface FairLimits extends ShareLimits {
  /** Places given back for a while by those who only wait; more than this stay in their places instead. */
  paused?: number
}

export interface FairPlace {
  /** Gives the place to others while whoever holds it waits for something outside. */
  pause(): void
  /** Takes a place again, in turn; at once where it was never given away. */
  resume(signal: AbortSignal): Promise<void>
  leave(): void
}

export interface FairPlaces {
  enter(wish: PlaceWish, signal: AbortSignal): Promise<FairPlace>
  /** A place that is free for this team now, without a line: for those who look for work where they have room for it. */
  tryEnter(wish: PlaceWish): FairPlace | undefined
  taken(): number
  takenBy(team: string): number
  waiting(): number
}

/**
 * A fixed number of places, shared by teams: a free one goes to the team that holds the fewest, and among those to the one
 * that was served longest ago. Within a team, calls that somebody waits for come first, then the order of asking.
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

/** Somebody in line, until it is their turn or they give up. */
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

/** What a place needs of all of them. */
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
      // It may have been left while it stood in line.
      if (state !== 'paused') return places.giveBack(wish.team)
      places.paused -= 1
      state = 'taken'
    },
    leave() {
      if (state !== 'left') end('left')
    },
  }
}
