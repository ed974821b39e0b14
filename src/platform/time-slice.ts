import { setImmediate as nextTurn } from 'node:timers/promises'

/** Yields to the event loop. It does no I/O, so `src/content` may use it. */
export { setImmediate as nextTurn } from 'node:timers/promises'

const maxSliceMs = 4

/** Creates a time slice for work on the main thread whose duration grows with its input, so that it runs in parts. */
export function createTimeSlice() {
  let startedAt = performance.now()
  return {
    isDue: () => performance.now() - startedAt > maxSliceMs,
    async take(): Promise<void> {
      await nextTurn()
      startedAt = performance.now()
    },
  }
}

const batchSize = 4000

/** Sorts a long list like `toSorted`, and yields to the event loop in between. */
export async function sortAsync<Item>(
  items: readonly Item[],
  compare: (left: Item, right: Item) => number,
  yieldToEventLoop: () => Promise<void>,
): Promise<Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += batchSize) {
    runs.push(items.slice(start, start + batchSize).sort(compare))
    await yieldToEventLoop()
  }
  while (runs.length > 1) {
    const mergedRuns: Item[][] = []
    for (let start = 0; start < runs.length; start += 2) {
      const [left = [], right] = runs.slice(start, start + 2)
      mergedRuns.push(right ? await merge(left, right, { compare, yieldToEventLoop }) : left)
    }
    runs = mergedRuns
  }
  return runs[0] ?? []
}

async function merge<Item>(
  left: Item[],
  right: Item[],
  options: { compare: (left: Item, right: Item) => number; yieldToEventLoop: () => Promise<void> },
): Promise<Item[]> {
  const merged: Item[] = []
  let [atLeft, atRight] = [0, 0]
  while (atLeft < left.length && atRight < right.length) {
    // Both indexes are within their lists.
    const [first, second] = [left[atLeft] as Item, right[atRight] as Item]
    if (options.compare(first, second) <= 0) {
      merged.push(first)
      atLeft += 1
    } else {
      merged.push(second)
      atRight += 1
    }
    if (merged.length % batchSize === 0) await options.yieldToEventLoop()
  }
  return merged.concat(left.slice(atLeft), right.slice(atRight))
}
