import { type FairPlace, fairPlaces, type PlaceRequest } from '../base/fair-places.ts'
import type { PageRoom } from '../engine/fetch-plan.ts'

/** One for each call: what a large page takes until its answer is made. */
export type PageRooms = (who: PlaceRequest) => PageRoom

/** Pages up to here are held without asking: there are never more of them than calls that run. */
const smallPage = 1024 * 1024

/**
 * Room in memory for a number of large pages at once, shared fairly by teams. A caller that finds none waits, with the connection to
 * the site held back, so that no more than these can be in memory, whatever the sites send.
 */
export function pageRooms(largePages: number): PageRooms {
  const places = fairPlaces({ places: largePages, spare: 1 })
  return (who) => {
    let place: Promise<FairPlace> | undefined
    let isLeft = false
    return {
      need(bytes, signal) {
        if (bytes <= smallPage) return
        place ??= places.enter(who, signal)
        return place.then((held) => {
          if (isLeft) held.leave()
        })
      },
      leave() {
        isLeft = true
        place?.then(
          (held) => held.leave(),
          () => undefined,
        )
      },
    }
  }
}
