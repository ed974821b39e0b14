import { setTimeout as timer } from 'node:timers/promises'
import { listener } from './listener.ts'

/** Time behind an object, so that tests own it. */
export interface Clock {
  now(): number
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = { ...steadyClock(), now: () => Date.now() }

export interface SteadyClock extends Clock {
  /**
   * Takes the time of a reference, then stays near it. It does not jump with it: what it is off by is made up for slowly
   * enough that no lease and no deadline notices. Answers how to stop.
   */
  follow(reference: () => Promise<number>, lost: (cause: unknown) => void): Promise<() => void>
}

const between = 60_000
/** A sixth of what a lease leaves between two renewals at the least. */
const mostAtOnce = 1000

/** A clock that only runs: whoever sets the time of the machine does not set this one. */
export function steadyClock(): SteadyClock {
  let offset = 0
  const running = () => performance.timeOrigin + performance.now()
  const now = () => Math.floor(running() + offset)
  return {
    now,
    sleep: (milliseconds, signal) => timer(milliseconds, undefined, signal ? { signal } : {}),
    async follow(reference, lost) {
      offset = (await reference()) - running()
      const approach = async () => {
        const difference = (await reference()) - now()
        offset += Math.max(-mostAtOnce, Math.min(mostAtOnce, difference))
      }
      const beat = setInterval(listener(approach, lost), between).unref()
      return () => clearInterval(beat)
    },
  }
}
