import type { TeamShares } from './team-shares.ts'

/** Who asks for a place. */
export interface PlaceRequest {
  team: string
  /** No caller waits for the result: it comes after everything that a caller waits for. */
  isBackground?: boolean
}

/** The waiting entries, in one line per team. */
export interface TeamLines<Waiting extends PlaceRequest> {
  waiting(): number
  isEmpty(): boolean
  join(me: Waiting): void
  leave(me: Waiting): void
  /** Removes and returns the next entry; undefined if none may enter. */
  next(): Waiting | undefined
}

export function teamLines<Waiting extends PlaceRequest>(
  shares: Pick<TeamShares, 'takenBy' | 'mayTake'>,
): TeamLines<Waiting> {
  const lines = new Map<string, Waiting[]>()

  /** The next entry: the team with the fewest places, then foreground before background, then the order of the lines. */
  function first(): Waiting | undefined {
    let best: Waiting | undefined
    for (const [team, line] of lines) {
      if (!shares.mayTake(team)) continue
      const head = line.find(({ isBackground }) => !isBackground) ?? line[0]
      if (!head) continue
      if (!best || isBefore(head, best)) best = head
    }
    return best
  }

  function isBefore(left: Waiting, right: Waiting): boolean {
    const [fewer, more] = [shares.takenBy(left.team), shares.takenBy(right.team)]
    if (fewer !== more) return fewer < more
    return !left.isBackground && right.isBackground === true
  }

  return {
    waiting: () => [...lines.values()].reduce((sum, line) => sum + line.length, 0),
    isEmpty: () => lines.size === 0,
    join(me) {
      const line = lines.get(me.team) ?? []
      lines.set(me.team, line)
      line.push(me)
    },
    leave(me) {
      const line = lines.get(me.team) ?? []
      line.splice(line.indexOf(me), 1)
      if (line.length === 0) lines.delete(me.team)
    },
    next() {
      const next = first()
      if (!next) return undefined
      const line = lines.get(next.team) ?? []
      line.splice(line.indexOf(next), 1)
      // After all other teams that hold the same number.
      lines.delete(next.team)
      if (line.length > 0) lines.set(next.team, line)
      return next
    },
  }
}
