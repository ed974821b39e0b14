import { setTimeout as timer } from 'node:timers/promises'
import { listener } from './listener.ts'

/** Time as an object, so that tests can control it. */
export interface Clock {
  now(): number
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = { ...steadyClock(), now: () => Date.now() }

export interface SteadyClock extends Clock {
  /**
   * Takes the time of a reference, then follows it. It does not jump with the reference: it corrects a difference slowly
   * enough not to affect a lease or a deadline. Returns a function that stops it.
   */
  follow(reference: () => Promise<number>, lost: (cause: unknown) => void): Promise<() => void>
}

const between = 60_000
/** One sixth of the shortest time between two renewals of a lease. */
const mostAtOnce = 1000

/** A monotonic clock: setting the time of the machine does not change it. */
export function steadyClock(): SteadyClock {
  let offset = 0
  const running = () => performance.timeOrigin + performance.now()
  const now = () => Math.floor(running() + offset)
  return {
    now,
    sleep: (milliseconds, signal) => timer(milliseconds, undefined, signal ? { signal } : {}),
    async follow(reference, lost) {
      const began = running()
      offset = (await reference()) - (began + running()) / 2
      const approach = async () => {
        const asked = now()
        const told = await reference()
        const answered = now()
        // The reference was read at some moment between the two: a slow answer does not tell the time any closer.
        const difference = told < asked ? told - asked : Math.max(0, told - answered)
        offset += Math.max(-mostAtOnce, Math.min(mostAtOnce, difference))
      }
      const beat = setInterval(listener(approach, lost), between).unref()
      return () => clearInterval(beat)
    },
  }
}
