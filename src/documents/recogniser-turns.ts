import type { FairPlace, FairPlaces, PlaceWish } from '../base/fair-places.ts'

/** What a converter process says of the programs that it starts to recognise text, and what it is answered. */
export type RecogniserAsk = { wantsRecogniser: number } | { hasRecognised: number }
export type RecogniserGrant = { mayRecognise: number }

/** More than one file ever asks for; a process that does has gone astray. */
const mostAsked = 64

/**
 * Recognition uses whole cores, and one file may want many: so a process asks before each of them, and all files of all teams
 * share the places. Ends with the file, whatever it still held or waited for.
 */
export function recogniserTurns(
  places: FairPlaces,
  wish: PlaceWish,
  grant: (granted: RecogniserGrant) => void,
): { hear(ask: RecogniserAsk): void; end(): void } {
  const asked = new Map<number, { gone: AbortController; place?: FairPlace }>()

  function release(number: number): void {
    const one = asked.get(number)
    asked.delete(number)
    one?.gone.abort()
    one?.place?.leave()
  }

  async function enter(number: number): Promise<void> {
    const one: { gone: AbortController; place?: FairPlace } = { gone: new AbortController() }
    asked.set(number, one)
    const place = await places.enter(wish, one.gone.signal)
    if (asked.get(number) !== one) return place.leave()
    one.place = place
    grant({ mayRecognise: number })
  }

  return {
    hear(ask) {
      if ('hasRecognised' in ask) release(ask.hasRecognised)
      // Whoever has given up is not told.
      else if (asked.size < mostAsked) enter(ask.wantsRecogniser).catch(() => undefined)
    },
    end() {
      for (const number of [...asked.keys()]) release(number)
    },
  }
}
