import { blockSize, bodyLength, type Counts, headingsLength, isThere, titleLength } from './postings.ts'
import { createTop, type Ranked } from './top.ts'

/** How many documents an index has, and how long their parts are together. */
export interface IndexStatistics {
  documents: number
  lengths: Omit<Counts, 'address'>
}

/** One word of a query in one block: the postings of its terms. */
export type BlockPostings = Uint32Array[]

export interface Block {
  index: number
  /** Of each document, by {@link packLengths}. */
  lengths: Uint32Array
  /** For each word of the query. */
  words: BlockPostings[]
  /** The documents that filters leave, one byte each; all where it is absent. */
  allowed?: Uint8Array
}

export interface RankOptions {
  statistics: IndexStatistics
  /** How many documents have each word. */
  frequencies: number[]
  most: number
}

/** Terms count more where fewer words stand; how much of each field is forgiven for its length is its `b`. */
const weights: Counts = { title: 3, headings: 1.5, address: 1, body: 1 }
const titleB = 0.4
const headingsB = 0.3
const bodyB = 0.75
const k1 = 1.6

/** The best documents by BM25F: counts of all fields are weighed and added before they are dampened. */
export function rank(blocks: Iterable<Block>, { statistics, frequencies, most }: RankOptions): Ranked[] {
  const rarities = frequencies.map((frequency) => rarity(frequency, statistics.documents))
  const averages = averageLengths(statistics)
  const top = createTop(most)
  const counts = new Float32Array(blockSize)
  const scores = new Float32Array(blockSize)
  for (const block of blocks) {
    scores.fill(0)
    for (const [word, lists] of block.words.entries()) {
      counts.fill(0)
      for (const postings of lists) addCounts(postings, block.lengths, averages, counts)
      addScores(counts, rarities[word] ?? 0, scores)
    }
    takeBest(block, scores, top)
  }
  return top.ranked()
}

function rarity(frequency: number, documents: number): number {
  const found = Math.min(frequency, documents)
  return Math.log(1 + (documents - found + 0.5) / (found + 0.5))
}

function averageLengths({ documents, lengths }: IndexStatistics): Omit<Counts, 'address'> {
  const average = (sum: number) => Math.max(sum / Math.max(documents, 1), 1)
  return {
    title: average(lengths.title),
    headings: average(lengths.headings),
    body: average(lengths.body),
  }
}

function addCounts(
  postings: Uint32Array,
  lengths: Uint32Array,
  average: Omit<Counts, 'address'>,
  counts: Float32Array,
): void {
  for (const posting of postings) {
    const slot = posting >>> 20
    const length = lengths[slot] ?? 0
    if (!isThere(length)) continue
    const title = (posting >>> 17) & 7
    const headings = (posting >>> 14) & 7
    let count =
      weights.address * ((posting >>> 12) & 3) +
      (weights.body * (posting & 4095)) / (1 - bodyB + (bodyB * bodyLength(length)) / average.body)
    if (title > 0)
      count += (weights.title * title) / (1 - titleB + (titleB * titleLength(length)) / average.title)
    if (headings > 0)
      count +=
        (weights.headings * headings) /
        (1 - headingsB + (headingsB * headingsLength(length)) / average.headings)
    counts[slot] = (counts[slot] ?? 0) + count
  }
}

function addScores(counts: Float32Array, rarity: number, scores: Float32Array): void {
  for (let slot = 0; slot < blockSize; slot += 1) {
    const count = counts[slot] ?? 0
    if (count > 0) scores[slot] = (scores[slot] ?? 0) + (rarity * count * (k1 + 1)) / (count + k1)
  }
}

function takeBest({ index, allowed }: Block, scores: Float32Array, top: ReturnType<typeof createTop>): void {
  for (let slot = 0; slot < blockSize; slot += 1) {
    const score = scores[slot] ?? 0
    if (score > top.least() && (allowed === undefined || allowed[slot] === 1))
      top.add({ number: index * blockSize + slot, score })
  }
}
