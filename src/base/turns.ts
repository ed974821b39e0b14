import { setImmediate as nextTurn } from 'node:timers/promises'

/** Work of one kind may hold the event loop for so long before everything else gets a turn. */
const mostMs = 4

export interface Turns {
  /** The part has taken long enough: `await next()` before going on. */
  isOver(): boolean
  next(): Promise<void>
}

/** For work on the main thread that grows with what it is given, and is done in parts therefore. */
export function turns(): Turns {
  let began = performance.now()
  return {
    isOver: () => performance.now() - began > mostMs,
    async next() {
      await nextTurn()
      began = performance.now()
    },
  }
}
