import { setTimeout as timer } from 'node:timers/promises'
import { listener } from './functions.ts'

export interface Clock {
  now(): number
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = { ...createSteadyClock(), now: () => Date.now() }

export interface SteadyClock extends Clock {
  /** Follows a reference. Differences are corrected slowly enough not to affect a lease or a deadline. */
  follow(reference: () => Promise<number>, onError: (cause: unknown) => void): Promise<() => void>
}

const adjustIntervalMs = 60_000
/** Maximum correction per interval: one sixth of the shortest time between two renewals of a lease. */
const maxAdjustmentMs = 1000

/** Creates a monotonic clock: setting the time of the machine does not change it. */
export function createSteadyClock(): SteadyClock {
  let offset = 0
  const monotonicNow = () => performance.timeOrigin + performance.now()
  const now = () => Math.floor(monotonicNow() + offset)
  return {
    now,
    sleep: (milliseconds, signal) => timer(milliseconds, undefined, signal ? { signal } : {}),
    async follow(reference, onError) {
      const sentAt = monotonicNow()
      offset = (await reference()) - (sentAt + monotonicNow()) / 2
      const adjust = async () => {
        const sentAt = now()
        const referenceTime = await reference()
        const receivedAt = now()
        // The reference was read between `sentAt` and `receivedAt`. A time within this range counts as no difference.
        const difference =
          referenceTime < sentAt ? referenceTime - sentAt : Math.max(0, referenceTime - receivedAt)
        offset += Math.max(-maxAdjustmentMs, Math.min(maxAdjustmentMs, difference))
      }
      const interval = setInterval(listener(adjust, onError), adjustIntervalMs).unref()
      return () => clearInterval(interval)
    },
  }
}

/** Maximum difference of two clocks, in seconds. Clocks that NTP synchronises differ by less. */
const maxSkewSeconds = 5

export async function findClockSkew(
  clock: Pick<Clock, 'now'>,
  store: { isShared: boolean; time(): Promise<number> },
): Promise<string | undefined> {
  const reference = store.isShared ? 'the clock of the database server' : 'the clock of this machine'
  const clocks: [string, () => number][] = [
    ['the clock of this service', () => clock.now()],
    ...(store.isShared ? [['the clock of this machine', Date.now] as [string, () => number]] : []),
  ]
  const startTimes = clocks.map(([, now]) => now())
  const time = await store.time()
  const skewed = clocks.flatMap(([name, now], index) => {
    const [sentAt, receivedAt] = [startTimes[index] ?? time, now()]
    const seconds = Math.round((time < sentAt ? sentAt - time : Math.min(0, receivedAt - time)) / 1000)
    if (Math.abs(seconds) <= maxSkewSeconds) return []
    return [`${name} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${reference}`]
  })
  return skewed.length === 0 ? undefined : skewed.join('; ')
}
