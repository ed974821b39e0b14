import { type FairPlace, fairPlaces } from '../base/fair-places.ts'
import { receiverBreaker } from './receiver-breaker.ts'

/** Deliveries at the same time, and spare places for teams that have none under way. */
const limits = { places: 64, spare: 16 }
/** A receiver that is slow holds up its own job and nobody else's, and never all that its team may have. */
const mostPerJob = 4

export interface Destination {
  teamId: string
  jobId: string
  url: string
}

export interface DeliveryUnderWay {
  /** How long the receiver may take. */
  patience: number
  /** Hears whether it answered. */
  heard(isSilent: boolean): void
  end(): void
}

/** How many deliveries may be under way at once, of a team, a job and a receiver. */
export interface DeliveryRoom {
  takenBy(teamId: string): number
  /** Takes as many places as the job and its receiver may have now. */
  take(to: Destination): { room: FairPlace[]; isTeamFull: boolean }
  /** A delivery begins, in a place that was taken for it. */
  begin(to: Destination, place: FairPlace | undefined): DeliveryUnderWay
}

export function deliveryRoom(): DeliveryRoom {
  const places = fairPlaces(limits)
  const ofJob = counter()
  const ofReceiver = counter()
  const breaker = receiverBreaker()
  return {
    takenBy: places.takenBy,
    take(to) {
      const receiver = receiverOf(to)
      const { atOnce } = breaker.limitsOf(receiver)
      const most = Math.min(mostPerJob - ofJob.of(to.jobId), atOnce - ofReceiver.of(receiver))
      const room: FairPlace[] = []
      while (room.length < most) {
        const place = places.tryEnter({ team: to.teamId, isBackground: true })
        if (!place) break
        room.push(place)
      }
      return { room, isTeamFull: room.length === 0 && most > 0 }
    },
    begin(to, place) {
      const receiver = receiverOf(to)
      const leave = [ofJob.enter(to.jobId), ofReceiver.enter(receiver)]
      return {
        patience: breaker.limitsOf(receiver).patience,
        heard: (isSilent) => breaker.note(receiver, { isSilent }),
        end() {
          for (const one of leave) one()
          place?.leave()
        },
      }
    },
  }
}

const receiverOf = ({ teamId, url }: Destination) => `${teamId} ${URL.parse(url)?.host}`

/** How many are under way of each name. */
function counter() {
  const counts = new Map<string, number>()
  const add = (name: string, more: number) => {
    const count = (counts.get(name) ?? 0) + more
    if (count > 0) counts.set(name, count)
    else counts.delete(name)
  }
  return {
    of: (name: string) => counts.get(name) ?? 0,
    enter(name: string) {
      add(name, 1)
      return () => add(name, -1)
    },
  }
}
