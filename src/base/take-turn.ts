import { nextTurn } from './next-turn.ts'

let last: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the event loop in which no other caller of this function works. Steps of several milliseconds that many
 * calls do at once would otherwise run back to back, and hold up every other call for the sum of them.
 */
export function takeTurn(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}
