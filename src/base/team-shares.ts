export interface ShareLimits {
  /** Places that every team may take; a function if their number varies. */
  places: number | (() => number)
  /** Additional places for teams that hold none: a team that has filled the rest cannot make them wait. */
  spare: number
}

/** How many places each team holds, and whether it may take one more. */
export interface TeamShares {
  taken(): number
  takenBy(team: string): number
  mayTake(team: string): boolean
  take(team: string): void
  giveBack(team: string): void
}

export function teamShares(limits: ShareLimits): TeamShares {
  const held = new Map<string, number>()
  // Teams that came in by a spare place. Their number decides: where the places have become fewer than are taken, all of
  // them are held by those who were there before.
  const inSpare = new Set<string>()
  let taken = 0
  const placesNow = () => (typeof limits.places === 'number' ? limits.places : limits.places())
  const takenBy = (team: string) => held.get(team) ?? 0
  return {
    taken: () => taken,
    takenBy,
    mayTake(team) {
      const places = placesNow()
      if (taken < places) return true
      return takenBy(team) === 0 && (taken < places + limits.spare || inSpare.size < limits.spare)
    },
    take(team) {
      if (taken >= placesNow()) inSpare.add(team)
      taken += 1
      held.set(team, takenBy(team) + 1)
    },
    giveBack(team) {
      taken -= 1
      const left = takenBy(team) - 1
      if (left > 0) held.set(team, left)
      else held.delete(team)
      if (left === 0) inSpare.delete(team)
      if (taken < placesNow()) inSpare.clear()
    },
  }
}
