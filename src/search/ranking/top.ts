export interface Ranked {
  number: number
  score: number
}

/** Keeps the best of many without sorting all of them; among equals those that came first. */
export function createTop(most: number) {
  /** A heap whose first is the worst that is kept. */
  const heap: Ranked[] = []
  return {
    /** What a score must exceed to be kept. */
    least: (): number => (heap.length < most ? 0 : (heap[0]?.score ?? Number.POSITIVE_INFINITY)),
    add(item: Ranked): void {
      if (heap.length < most) {
        heap.push(item)
        rise(heap, heap.length - 1)
      } else if (heap[0] && isWorse(heap[0], item)) {
        heap[0] = item
        sink(heap, 0)
      }
    },
    /** From the best to the worst. */
    ranked: (): Ranked[] => heap.toSorted((one, other) => (isWorse(one, other) ? 1 : -1)),
  }
}

function isWorse(one: Ranked, other: Ranked): boolean {
  return one.score < other.score || (one.score === other.score && one.number > other.number)
}

function rise(heap: Ranked[], from: number): void {
  for (let at = from; at > 0; ) {
    const above = (at - 1) >> 1
    if (!swapIfWorse(heap, at, above)) return
    at = above
  }
}

function sink(heap: Ranked[], from: number): void {
  for (let at = from; ; ) {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    const worse = isWorseAt(heap, right, left) ? right : left
    if (!swapIfWorse(heap, worse, at)) return
    at = worse
  }
}

function isWorseAt(heap: Ranked[], one: number, other: number): boolean {
  const [first, second] = [heap[one], heap[other]]
  return first !== undefined && second !== undefined && isWorse(first, second)
}

/** Swaps two places where the lower one holds the worse item. */
function swapIfWorse(heap: Ranked[], lower: number, upper: number): boolean {
  const [below, above] = [heap[lower], heap[upper]]
  if (!below || !above || !isWorse(below, above)) return false
  heap[lower] = above
  heap[upper] = below
  return true
}
