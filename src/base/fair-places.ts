export interface FairLimits {
  /** Places that anybody may take; a function where their number follows something else. */
  places: number | (() => number)
  /** Places beyond those, for teams that hold none: whoever has filled the rest cannot make them wait. */
  spare: number
  /** Places given back for a while by those who only wait; more than this stay in their places instead. */
  paused?: number
}

export interface PlaceWish {
  team: string
  /** Nobody waits for the answer: it comes after everything that somebody waits for. */
  isBackground?: boolean
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

interface Waiting extends PlaceWish {
  go(): void
}

/**
 * A fixed number of places, shared by teams: a free one goes to the team that holds the fewest, and among those to the one
 * that was served longest ago. Within a team, calls that somebody waits for come first, then the order of asking.
 */
export function fairPlaces(limits: FairLimits): FairPlaces {
  const held = new Map<string, number>()
  const lines = new Map<string, Waiting[]>()
  let taken = 0
  let paused = 0

  const heldBy = (team: string) => held.get(team) ?? 0

  function take(team: string): void {
    taken += 1
    held.set(team, heldBy(team) + 1)
  }

  function giveBack(team: string): void {
    taken -= 1
    const left = heldBy(team) - 1
    if (left > 0) held.set(team, left)
    else held.delete(team)
    serve()
  }

  function mayEnter(team: string): boolean {
    const places = typeof limits.places === 'number' ? limits.places : limits.places()
    return taken < places || (heldBy(team) === 0 && taken < places + limits.spare)
  }

  function serve(): void {
    for (let next = first(); next; next = first()) {
      const line = lines.get(next.team) ?? []
      line.splice(line.indexOf(next), 1)
      // Behind all other teams that hold as many.
      lines.delete(next.team)
      if (line.length > 0) lines.set(next.team, line)
      take(next.team)
      next.go()
    }
  }

  /** Who comes next: the fewest places, then whoever is waited for, then the order of the lines. */
  function first(): Waiting | undefined {
    let best: Waiting | undefined
    for (const [team, line] of lines) {
      if (!mayEnter(team)) continue
      const head = line.find(({ isBackground }) => !isBackground) ?? line[0]
      if (!head) continue
      if (!best || isBefore(head, best)) best = head
    }
    return best
  }

  function isBefore(left: Waiting, right: Waiting): boolean {
    const [fewer, more] = [heldBy(left.team), heldBy(right.team)]
    if (fewer !== more) return fewer < more
    return !left.isBackground && right.isBackground === true
  }

  function wait(wish: PlaceWish, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const line = lines.get(wish.team) ?? []
    lines.set(wish.team, line)
    const me: Waiting = {
      ...wish,
      go() {
        signal.removeEventListener('abort', giveUp)
        resolve()
      },
    }
    const giveUp = () => {
      const own = lines.get(wish.team) ?? []
      own.splice(own.indexOf(me), 1)
      if (own.length === 0) lines.delete(wish.team)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    line.push(me)
    serve()
    return promise
  }

  function placeOf(wish: PlaceWish): FairPlace {
    let state: 'taken' | 'paused' | 'left' = 'taken'
    const end = (now: 'paused' | 'left') => {
      if (state === 'paused') paused -= 1
      const wasTaken = state === 'taken'
      state = now
      if (now === 'paused') paused += 1
      if (wasTaken) giveBack(wish.team)
    }
    return {
      pause() {
        if (state === 'taken' && paused < (limits.paused ?? 0)) end('paused')
      },
      async resume(signal) {
        if (state !== 'paused') return
        await wait(wish, signal)
        // It may have been left while it stood in line.
        if (state !== 'paused') return giveBack(wish.team)
        paused -= 1
        state = 'taken'
      },
      leave() {
        if (state !== 'left') end('left')
      },
    }
  }

  return {
    async enter(wish, signal) {
      await wait(wish, signal)
      return placeOf(wish)
    },
    tryEnter(wish) {
      if (lines.size > 0 || !mayEnter(wish.team)) return undefined
      take(wish.team)
      return placeOf(wish)
    },
    taken: () => taken,
    takenBy: heldBy,
    waiting: () => [...lines.values()].reduce((sum, line) => sum + line.length, 0),
  }
}
