import { fairPlaces, type PlaceRequest } from '../../base/fair-places.ts'
import type { Log } from '../../base/log.ts'
import type { SearchThread } from '../thread/search-thread.ts'

/** On behalf of a team: how alike a query and sentences are, from -1 to 1; undefined where there was no time. */
export type SentenceComparison = (
  who: PlaceRequest,
) => (query: string, texts: readonly string[], signal: AbortSignal) => Promise<number[] | undefined>

/** One after the other: two at once would each take twice as long. One more for a team that has none. */
const turns = { places: 1, spare: 1 }
const mostTexts = 64
const mostText = 2000
/** Without an answer in this time, words alone decide. */
const withinMs = 8000

export function sentenceComparison(thread: SearchThread, log: Pick<Log, 'warn'>): SentenceComparison {
  const places = fairPlaces(turns)
  return (who) => async (query, texts, signal) => {
    const timed = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    try {
      const place = await places.enter(who, timed)
      try {
        const compared = {
          ...{ query, withinMs },
          texts: texts.slice(0, mostTexts).map((text) => text.slice(0, mostText)),
        }
        return await thread.ask({ kind: 'compare', compared }, timed)
      } finally {
        place.leave()
      }
    } catch (cause) {
      signal.throwIfAborted()
      if (!timed.aborted) log.warn({ cause }, 'sentences could not be compared by their meaning')
      return undefined
    }
  }
}
