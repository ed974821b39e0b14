import { setImmediate as nextTurn } from 'node:timers/promises'

/** Lets the event loop do other work before a long loop goes on. It is no input or output, so content may use it. */
export { setImmediate as nextTurn } from 'node:timers/promises'

/** How long a piece of work may occupy the event loop before it yields. */
const mostMs = 4

export interface Pauses {
  /** The time slice is used up: call `await take()` before continuing. */
  isDue(): boolean
  take(): Promise<void>
}

/** For work on the main thread that grows with its input, and therefore runs in parts. */
export function createTimeSlice(): Pauses {
  let began = performance.now()
  return {
    isDue: () => performance.now() - began > mostMs,
    async take() {
      await nextTurn()
      began = performance.now()
    },
  }
}

/** Number of entries that are sorted or merged between two turns of the event loop. */
const atOnce = 4000

/** The same result as `toSorted`, for long lists: it yields to the event loop in between. */
export async function sortInTurns<Item>(
  items: readonly Item[],
  compare: (left: Item, right: Item) => number,
  giveWay: () => Promise<void>,
): Promise<Item[]> {
  let runs: Item[][] = []
  for (let at = 0; at < items.length; at += atOnce) {
    runs.push(items.slice(at, at + atOnce).sort(compare))
    await giveWay()
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      const [left = [], right] = runs.slice(at, at + 2)
      longer.push(right ? await merge(left, right, { compare, giveWay }) : left)
    }
    runs = longer
  }
  return runs[0] ?? []
}

async function merge<Item>(
  left: Item[],
  right: Item[],
  how: { compare: (left: Item, right: Item) => number; giveWay: () => Promise<void> },
): Promise<Item[]> {
  const merged: Item[] = []
  let [atLeft, atRight] = [0, 0]
  while (atLeft < left.length && atRight < right.length) {
    // Neither index is at its end.
    const [first, second] = [left[atLeft] as Item, right[atRight] as Item]
    if (how.compare(first, second) <= 0) {
      merged.push(first)
      atLeft += 1
    } else {
      merged.push(second)
      atRight += 1
    }
    if (merged.length % atOnce === 0) await how.giveWay()
  }
  return merged.concat(left.slice(atLeft), right.slice(atRight))
}
