import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work of one kind may hold the event loop for so long before everything else gets a turn. */
const mostMs = 4

export interface Pauses {
  /** The work has held the loop long enough: `await take()` before going on. */
  isDue(): boolean
  take(): Promise<void>
}

/** For work on the main thread that grows with what it is given, and is done in parts therefore. */
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
