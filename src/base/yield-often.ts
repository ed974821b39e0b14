import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long a piece of work may occupy the event loop before it yields. */
const mostMs = 4

export interface Pauses {
  /** The time slice is used up: call `await take()` before continuing. */
  isDue(): boolean
  take(): Promise<void>
}

/** For work on the main thread that grows with its input, and therefore runs in parts. */
export function yieldOften(): Pauses {
  let began = performance.now()
  return {
    isDue: () => performance.now() - began > mostMs,
    async take() {
      await nextTurn()
      began = performance.now()
    },
  }
}
