/** Where a block may stand in the truth: its words are those from `start` up to `end`. */
interface BlockMatch {
  block: number
  start: number
  end: number
  /** Words of the best chain that ends here, and the match before this one in it. */
  sum: number
  before: BlockMatch | undefined
}

/** The blocks that stand in the truth in the order of the page, and how much of it they cover. */
export interface Alignment {
  inOrder: Uint8Array
  /** The share of the words of the truth that these blocks say. */
  covered: number
}

/** Beyond that a word is everywhere and tells nothing of where a block stands. */
const maxPositions = 300

/**
 * A page and its truth tell the same story in the same order. Of a text that the page says in several places,
 * as a heading and in a table of contents, the one between the right neighbours is the one that is meant.
 */
export function align(keys: string[][], truth: string[], rowLength: number): Alignment {
  const positions = positionsOf(truth, rowLength)
  const best = new Array<BlockMatch | undefined>(truth.length + 1)
  for (const [block, key] of keys.entries()) {
    const found = startsOf(key, truth, positions, rowLength).map(({ start, length }) => {
      const before = bestUpTo(best, start)
      return { block, start, end: start + length, sum: (before?.sum ?? 0) + length, before }
    })
    for (const match of found) improve(best, match)
  }
  const inOrder = new Uint8Array(keys.length)
  const last = bestUpTo(best, truth.length)
  for (let match = last; match !== undefined; match = match.before) inOrder[match.block] = 1
  return { inOrder, covered: truth.length === 0 ? 0 : (last?.sum ?? 0) / truth.length }
}

function positionsOf(truth: string[], rowLength: number): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  const add = (key: string, at: number) => {
    const known = positions.get(key)
    if (known) known.push(at)
    else positions.set(key, [at])
  }
  for (const [at, word] of truth.entries()) {
    add(word, at)
    if (at + rowLength <= truth.length) add(truth.slice(at, at + rowLength).join(' '), at)
  }
  return positions
}

/** Where all of a block stands in the truth; else where its first known row does. */
function startsOf(
  key: string[],
  truth: string[],
  positions: ReadonlyMap<string, number[]>,
  rowLength: number,
): { start: number; length: number }[] {
  if (key.length === 0) return []
  const isShort = key.length < rowLength
  const starts = positions.get(isShort ? (key[0] ?? '') : key.slice(0, rowLength).join(' ')) ?? []
  if (starts.length > maxPositions) return []
  const whole = starts.filter((start) => key.every((word, at) => truth[start + at] === word))
  if (whole.length > 0 || isShort) return whole.map((start) => ({ start, length: key.length }))
  for (let at = 0; at + rowLength <= key.length; at += 1) {
    const found = positions.get(key.slice(at, at + rowLength).join(' ')) ?? []
    if (found.length === 1) return found.map((start) => ({ start, length: rowLength }))
  }
  return []
}

/** A tree of greatest values, so that a long truth costs little: entry n holds the best of its last bits. */
function improve(best: (BlockMatch | undefined)[], match: BlockMatch): void {
  for (let at = match.end; at < best.length; at += at & -at) {
    if (match.sum > (best[at]?.sum ?? 0)) best[at] = match
  }
}

function bestUpTo(best: readonly (BlockMatch | undefined)[], end: number): BlockMatch | undefined {
  let found: BlockMatch | undefined
  for (let at = end; at > 0; at -= at & -at) {
    const match = best[at]
    if (match !== undefined && match.sum > (found?.sum ?? 0)) found = match
  }
  return found
}
