import type { FairPlace, FairPlaces, PlaceRequest } from '../base/fair-places.ts'

/** The messages between a converter process and its parent about the OCR programs that it starts. */
export type RecogniserAsk = { wantsRecogniser: number } | { hasRecognised: number }
export type RecogniserGrant = { mayRecognise: number }

/** More than any file requests; a process that exceeds it is broken. */
const mostAsked = 64

/**
 * OCR uses whole cores, and one file may want many: so a process asks before each program, and all files of all teams
 * share the places. Everything that a file still holds or waits for ends with the file.
 */
export function recogniserTurns(
  places: FairPlaces,
  request: PlaceRequest,
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
    const place = await places.enter(request, one.gone.signal)
    if (asked.get(number) !== one) return place.leave()
    one.place = place
    grant({ mayRecognise: number })
  }

  return {
    hear(ask) {
      if ('hasRecognised' in ask) release(ask.hasRecognised)
      // No answer after the process gave up.
      else if (asked.size < mostAsked) enter(ask.wantsRecogniser).catch(() => undefined)
    },
    end() {
      for (const number of [...asked.keys()]) release(number)
    },
  }
}
