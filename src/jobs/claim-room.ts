import type { FairPlace, FairPlaces } from '../base/fair-places.ts'

/** Jobs claimed together; more would hold the locks of one transaction for too long. */
const mostAtOnce = 64

/** Takes all places that are free, in the name of the teams that wait: the next is for the one with the fewest. */
export function claimRoom(
  places: Pick<FairPlaces, 'takenBy' | 'tryEnter'>,
  teams: string[],
): Map<string, FairPlace[]> {
  const room = new Map<string, FairPlace[]>()
  const waiting = new Set(teams)
  while (waiting.size > 0) {
    let next: string | undefined
    for (const team of waiting)
      if (next === undefined || places.takenBy(team) < places.takenBy(next)) next = team
    const place = next === undefined ? undefined : places.tryEnter({ team: next, isBackground: true })
    // The others hold as many or more: where there is none for this one, there is none for them.
    if (next === undefined || !place) break
    room.set(next, [...(room.get(next) ?? []), place])
    if ((room.get(next)?.length ?? 0) >= mostAtOnce) waiting.delete(next)
  }
  return room
}
