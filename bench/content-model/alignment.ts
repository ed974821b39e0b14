/** Possible position of a block in the ground truth: its words are those from `start` up to `end`. */
interface BlockMatch {
  block: number
  start: number
  end: number
  /** Number of words of the best chain that ends here; `previous` is the match before it in the chain. */
  sum: number
  previous: BlockMatch | undefined
}

/** Blocks that appear in the ground truth in the order of the page, and their coverage of it. */
export interface Alignment {
  inOrder: Uint8Array
  /** Share of the words of the ground truth that these blocks contain. */
  covered: number
}

/** Maximum number of positions of a word; a more frequent word does not help to locate a block. */
const maxPositions = 300

/**
 * Aligns the words of each block of a page with the words of its ground truth, which has the same texts in the same
 * order. If a text occurs several times in the page, such as in a heading and in a table of contents, the occurrence
 * between the right neighbours is used.
 */
export function align(blocks: string[][], truth: string[], sequenceLength: number): Alignment {
  const positions = indexPositions(truth, sequenceLength)
  const best = new Array<BlockMatch | undefined>(truth.length + 1)
  for (const [block, words] of blocks.entries()) {
    const matches = findStarts(words, truth, positions, sequenceLength).map(({ start, length }) => {
      const previous = findBest(best, start)
      return { block, start, end: start + length, sum: (previous?.sum ?? 0) + length, previous }
    })
    for (const match of matches) updateBest(best, match)
  }
  const inOrder = new Uint8Array(blocks.length)
  const last = findBest(best, truth.length)
  for (let match = last; match !== undefined; match = match.previous) inOrder[match.block] = 1
  return { inOrder, covered: truth.length === 0 ? 0 : (last?.sum ?? 0) / truth.length }
}

function indexPositions(truth: string[], sequenceLength: number): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  const add = (key: string, index: number) => {
    const existing = positions.get(key)
    if (existing) existing.push(index)
    else positions.set(key, [index])
  }
  for (const [index, word] of truth.entries()) {
    add(word, index)
    if (index + sequenceLength <= truth.length)
      add(truth.slice(index, index + sequenceLength).join(' '), index)
  }
  return positions
}

/**
 * Returns the positions of the complete block in the ground truth; otherwise that of its first unique word sequence.
 */
function findStarts(
  words: string[],
  truth: string[],
  positions: ReadonlyMap<string, number[]>,
  sequenceLength: number,
): { start: number; length: number }[] {
  if (words.length === 0) return []
  const isShort = words.length < sequenceLength
  const starts = positions.get(isShort ? (words[0] ?? '') : words.slice(0, sequenceLength).join(' ')) ?? []
  if (starts.length > maxPositions) return []
  const completeMatches = starts.filter((start) =>
    words.every((word, index) => truth[start + index] === word),
  )
  if (completeMatches.length > 0 || isShort)
    return completeMatches.map((start) => ({ start, length: words.length }))
  for (let index = 0; index + sequenceLength <= words.length; index += 1) {
    const matches = positions.get(words.slice(index, index + sequenceLength).join(' ')) ?? []
    if (matches.length === 1) return matches.map((start) => ({ start, length: sequenceLength }))
  }
  return []
}

/** Updates a binary indexed tree (Fenwick tree) of maxima. Updates and queries take logarithmic time. */
function updateBest(best: (BlockMatch | undefined)[], match: BlockMatch): void {
  for (let index = match.end; index < best.length; index += index & -index) {
    if (match.sum > (best[index]?.sum ?? 0)) best[index] = match
  }
}

function findBest(best: readonly (BlockMatch | undefined)[], end: number): BlockMatch | undefined {
  let bestMatch: BlockMatch | undefined
  for (let index = end; index > 0; index -= index & -index) {
    const match = best[index]
    if (match !== undefined && match.sum > (bestMatch?.sum ?? 0)) bestMatch = match
  }
  return bestMatch
}
