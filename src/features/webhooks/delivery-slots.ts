import { LRUCache } from 'lru-cache'
import { Permits } from '../../platform/permits.ts'

/** Deliveries at the same time, and spare permits for teams that have none under way. */
const limits = { count: 64, spare: 16 }
/** A receiver that is slow holds up its own job and nobody else's, and never all that its team may have. */
const maxPerJob = 4

export interface Destination {
  teamId: string
  jobId: string
  url: string
}

export interface ActiveDelivery {
  /** How long the receiver may take. */
  patience: number
  /** Hears whether it answered. */
  heard(isSilent: boolean): void
}

/** Permits for deliveries to one destination. */
interface DeliveryPermits {
  count: number
  /** Sends one delivery; its permit is held until the promise settles. */
  send(deliver: (delivery: ActiveDelivery) => Promise<void>): Promise<void>
}

/** How many deliveries may be under way at once, of a team, a job and a receiver. */
export interface DeliverySlots {
  takenBy(teamId: string): number
  /** Runs the work with as many permits as the job and its receiver may have now. Returns false if the team has none left. */
  use(to: Destination, work: (permits: DeliveryPermits) => Promise<void>): Promise<boolean>
}

export function createDeliverySlots(): DeliverySlots {
  const permits = new Permits(limits)
  const ofJob = new Permits({ count: Number.POSITIVE_INFINITY })
  const ofReceiver = new Permits({ count: Number.POSITIVE_INFINITY })
  const breaker = createCircuitBreaker()
  return {
    takenBy: (teamId) => permits.heldBy(teamId),
    async use(to, work) {
      const receiver = receiverOf(to)
      const { atOnce, patience } = breaker.limitsOf(receiver)
      const most = Math.min(maxPerJob - ofJob.heldBy(to.jobId), atOnce - ofReceiver.heldBy(receiver))
      if (most <= 0) return true
      const delivery = { patience, heard: (isSilent: boolean) => breaker.note(receiver, { isSilent }) }
      return permits.runWithFree({ teams: [to.teamId], maxPerTeam: most }, async (batches) => {
        const batch = batches.get(to.teamId)
        if (!batch) return false
        const send: DeliveryPermits['send'] = (deliver) =>
          batch.run(async () => {
            const counted = () => ofReceiver.tryRun({ team: receiver }, () => deliver(delivery))
            await ofJob.tryRun({ team: to.jobId }, async () => counted())
          })
        await work({ count: batch.size(), send })
        return true
      })
    },
  }
}

const receiverOf = ({ teamId, url }: Destination) => `${teamId} ${URL.parse(url)?.host}`

/** Answers in a row that did not come, until a receiver is thought to hang. */
const maxSilences = 3
/** Receivers that are remembered; what is forgotten is found out again. */
const maxFrontierSize = 10_000

const usual = { atOnce: 16, patience: 10_000 }
/** Enough to notice that it answers again. */
const wary = { atOnce: 1, patience: 3000 }

/**
 * How many deliveries a receiver gets at once, and how long it may take over one. A receiver that hangs gets one at a time
 * and less time for it, until it answers: it would otherwise hold most of the deliveries that its team may have under way.
 */
export function createCircuitBreaker() {
  const silences = new LRUCache<string, number>({ max: maxFrontierSize })
  return {
    limitsOf: (receiver: string) => ((silences.get(receiver) ?? 0) < maxSilences ? usual : wary),
    /** Whatever it answered, an answer is one. */
    note(receiver: string, { isSilent }: { isSilent: boolean }): void {
      if (isSilent) silences.set(receiver, (silences.get(receiver) ?? 0) + 1)
      else silences.delete(receiver)
    },
  }
}
