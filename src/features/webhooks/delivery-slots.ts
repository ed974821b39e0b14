import { LRUCache } from 'lru-cache'
import { Permits } from '../../platform/permits.ts'

const permitLimits = { count: 64, spare: 16 }
/** A slow receiver delays only its own job, and never uses all permits of its team. */
const maxPerJob = 4

export interface Destination {
  teamId: string
  jobId: string
  url: string
}

export interface ActiveDelivery {
  timeoutMs: number
  recordTimeout(isTimeout: boolean): void
}

interface DeliveryPermits {
  count: number
  send(deliver: (delivery: ActiveDelivery) => Promise<void>): Promise<void>
}

export type DeliverySlots = ReturnType<typeof createDeliverySlots>

export function createDeliverySlots() {
  const permits = new Permits(permitLimits)
  const jobPermits = new Permits({ count: Number.POSITIVE_INFINITY })
  const receiverPermits = new Permits({ count: Number.POSITIVE_INFINITY })
  const breaker = createCircuitBreaker()
  return {
    inFlightOf: (teamId: string) => permits.heldBy(teamId),
    /** Runs the work with the permits that are available now. Returns false if the team has no free permit. */
    async use(destination: Destination, work: (permits: DeliveryPermits) => Promise<void>): Promise<boolean> {
      const receiver = receiverOf(destination)
      const { maxConcurrent, timeoutMs } = breaker.limitsOf(receiver)
      const limit = Math.min(
        maxPerJob - jobPermits.heldBy(destination.jobId),
        maxConcurrent - receiverPermits.heldBy(receiver),
      )
      if (limit <= 0) return true
      const recordTimeout = (isTimeout: boolean) => breaker.note(receiver, { isTimeout })
      return permits.runWithFree({ teams: [destination.teamId], maxPerTeam: limit }, async (batches) => {
        const batch = batches.get(destination.teamId)
        if (!batch) return false
        const send: DeliveryPermits['send'] = (deliver) =>
          batch.run(async () => {
            const sendNow = () => deliver({ timeoutMs, recordTimeout })
            await jobPermits.tryRun({ team: destination.jobId }, async () =>
              receiverPermits.tryRun({ team: receiver }, sendNow),
            )
          })
        await work({ count: batch.size(), send })
        return true
      })
    },
  }
}

const receiverOf = ({ teamId, url }: Destination) => `${teamId} ${URL.parse(url)?.host}`

const maxTimeouts = 3
const maxReceivers = 10_000

const normalLimits = { maxConcurrent: 16, timeoutMs: 10_000 }
/** They suffice to detect that an unresponsive receiver responds again. */
const reducedLimits = { maxConcurrent: 1, timeoutMs: 3000 }

/** An unresponsive receiver would hold most permits of its team, so it gets reduced limits until it responds. */
export function createCircuitBreaker() {
  const timeouts = new LRUCache<string, number>({ max: maxReceivers })
  return {
    limitsOf: (receiver: string) =>
      (timeouts.get(receiver) ?? 0) < maxTimeouts ? normalLimits : reducedLimits,
    /** Every response counts, whatever its status. */
    note(receiver: string, { isTimeout }: { isTimeout: boolean }): void {
      if (isTimeout) timeouts.set(receiver, (timeouts.get(receiver) ?? 0) + 1)
      else timeouts.delete(receiver)
    },
  }
}
