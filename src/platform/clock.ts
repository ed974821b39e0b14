import { setTimeout as timer } from 'node:timers/promises'
import { listener } from './functions.ts'

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
const maxConcurrent = 1000

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
        offset += Math.max(-maxConcurrent, Math.min(maxConcurrent, difference))
      }
      const beat = setInterval(listener(approach, lost), between).unref()
      return () => clearInterval(beat)
    },
  }
}

/** Seconds by which two clocks may differ. Programs that set clocks keep them closer. */
const maxSkewSeconds = 5

/**
 * Returns which clocks differ by more than a few seconds, and by how much; undefined if none does. The reference is the clock
 * of the database server or, for a store on this machine, the clock of the machine.
 */
export async function findClockSkew(
  clock: Pick<Clock, 'now'>,
  store: { isShared: boolean; time(): Promise<number> },
): Promise<string | undefined> {
  const reference = store.isShared ? 'the clock of the database server' : 'the clock of this machine'
  const clocks: [string, () => number][] = [
    ['the clock of this service', () => clock.now()],
    ...(store.isShared ? [['the clock of this machine', Date.now] as [string, () => number]] : []),
  ]
  const before = clocks.map(([, now]) => now())
  const time = await store.time()
  const skewed = clocks.flatMap(([name, now], index) => {
    // The reference was read at some moment between the two, so a slow reply is not a difference.
    const [asked, replied] = [before[index] ?? time, now()]
    const seconds = Math.round((time < asked ? asked - time : Math.min(0, replied - time)) / 1000)
    if (Math.abs(seconds) <= maxSkewSeconds) return []
    return [`${name} is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} ${reference}`]
  })
  return skewed.length === 0 ? undefined : skewed.join('; ')
}
