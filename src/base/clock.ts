import { setTimeout as timer } from 'node:timers/promises'

/** Time behind an object, so that tests own it. */
export interface Clock {
  now(): number
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => timer(milliseconds, undefined, signal ? { signal } : {}),
}
