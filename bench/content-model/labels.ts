import type { Blocks } from '../../src/content/main-content/blocks.ts'
import { select } from '../../src/content/select.ts'
import type { Tree } from '../../src/content/tree/tree.ts'
import { type Alignment, align } from './alignment.ts'
import { blockText } from './block-text.ts'
import type { Container, Sample } from './samples.ts'

/** Training labels of the blocks of a page. */
export interface Labels {
  /** Share of the words that belong to the content; -1 if unknown. */
  shares: Float32Array
  /** Weight of the block among the blocks of its page. */
  weights: Float32Array
}

export function labelsOf(tree: Tree, blocks: Blocks, sample: Sample): Labels {
  if (sample.container !== undefined) return labelByContainer(tree, blocks, sample.container)
  const texts = Array.from({ length: blocks.count }, (_, block) => blockText(tree, blocks, block))
  return sample.text === undefined ? labelBySnippets(texts, sample) : labelByText(texts, sample.text)
}

/** Form controls, permalinks and line numbers, which are never content. */
const neverContent = 'button, input, select, textarea, a.headerlink, a.anchor, .linenos'

function labelByContainer(tree: Tree, blocks: Blocks, { main, drop = [], optional = [] }: Container): Labels {
  const shares = new Float32Array(blocks.count)
  const setShare = (selector: string, share: number) => {
    const found = select(tree, selector)
    if (!found.ok) throw new Error(`"${selector}" cannot be selected.`)
    for (const node of found.nodes) {
      shares.fill(share, blocks.before[node] ?? 0, blocks.before[tree.ends[node] ?? 0] ?? 0)
    }
  }
  setShare(main, 1)
  for (const selector of optional) setShare(selector, -1)
  for (const selector of [...drop, neverContent]) setShare(selector, 0)
  return { shares, weights: blocks.words.slice(0, blocks.count) }
}

/** Returns labels for blocks that contain a snippet; all other blocks are unknown. */
function labelBySnippets(texts: string[], sample: Sample): Labels {
  const shares = new Float32Array(texts.length).fill(-1)
  const weights = new Float32Array(texts.length)
  const flatTexts = texts.map(flatten)
  const setShare = (snippet: string, share: number) => {
    const flatSnippet = flatten(snippet)
    const found = flatTexts.flatMap((text, block) => (text.includes(flatSnippet) ? [block] : []))
    for (const block of found) {
      // A text with snippets of both kinds is ambiguous.
      const isClash = (shares[block] ?? -1) >= 0 && shares[block] !== share
      shares[block] = isClash ? -1 : share
      weights[block] = isClash ? 0 : 1 / found.length
    }
  }
  for (const snippet of sample.with ?? []) setShare(snippet, 1)
  for (const snippet of sample.without ?? []) setShare(snippet, 0)
  return { shares, weights }
}

const flatten = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Three equal words are rarely a coincidence. Shorter blocks are labelled by the blocks around them. */
const sequenceLength = 3

/** If the truth contains only a part of a block with fewer words, that part probably belongs to another sentence. */
const minPartialWords = 12

function labelByText(texts: string[], truth: string): Labels {
  const words = getWords(truth)
  const wordsByBlock = texts.map(getWords)
  const sequences = createSequences(words)
  const shares = Float32Array.from(wordsByBlock, (blockWords) => {
    if (blockWords.length === 0) return -1
    if (blockWords.length < sequenceLength) return 0
    const share = coverage(blockWords, sequences)
    return blockWords.length < minPartialWords && share < 0.9 ? 0 : share
  })
  const joinedTruth = ` ${words.join(' ')} `
  const alignment = align(wordsByBlock, words, sequenceLength)
  dropRepeats(wordsByBlock, shares, joinedTruth, alignment)
  labelShortBlocks(wordsByBlock, shares, {
    joined: joinedTruth,
    alignment,
    lines: new Set(truth.split('\n').map((line) => getWords(line).join(' '))),
  })
  return { shares, weights: Float32Array.from(wordsByBlock, (blockWords) => blockWords.length) }
}

const getWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

function createSequences(words: string[]): Set<string> {
  const sequences = new Set<string>()
  for (let index = 0; index + sequenceLength <= words.length; index += 1) {
    sequences.add(words.slice(index, index + sequenceLength).join(' '))
  }
  return sequences
}

/** Returns the share of the words that are part of a word sequence in the truth. */
function coverage(blockWords: string[], sequences: Set<string>): number {
  const covered = new Uint8Array(blockWords.length)
  for (let index = 0; index + sequenceLength <= blockWords.length; index += 1) {
    if (sequences.has(blockWords.slice(index, index + sequenceLength).join(' ')))
      covered.fill(1, index, index + sequenceLength)
  }
  return covered.reduce((sum, value) => sum + value, 0) / blockWords.length
}

/**
 * If a text occurs more often in the page than in the truth, labels only the best occurrences as content: first those
 * in the order of the truth, then those with the most content around them.
 */
function dropRepeats(
  wordsByBlock: string[][],
  shares: Float32Array,
  joinedTruth: string,
  { inOrder }: Alignment,
): void {
  const blocksByText = new Map<string, number[]>()
  for (const [block, blockWords] of wordsByBlock.entries()) {
    if (blockWords.length < sequenceLength || (shares[block] ?? 0) < 0.8) continue
    const text = blockWords.join(' ')
    const existing = blocksByText.get(text)
    if (existing) existing.push(block)
    else blocksByText.set(text, [block])
  }
  for (const [text, blocks] of blocksByText) {
    if (blocks.length < 2) continue
    const maxOccurrences = Math.max(1, joinedTruth.split(` ${text} `).length - 1)
    if (blocks.length <= maxOccurrences) continue
    const ranked = blocks
      .map((block) => ({ block, score: (inOrder[block] ?? 0) + contentAround(shares, wordsByBlock, block) }))
      .sort((left, right) => right.score - left.score)
    for (const { block } of ranked.slice(maxOccurrences)) shares[block] = 0
  }
}

/** Share of the truth that is covered in order, above which blocks out of order are not content. */
const minCoverage = 0.7

interface Truth {
  joined: string
  alignment: Alignment
  lines: ReadonlySet<string>
}

function labelShortBlocks(
  wordsByBlock: string[][],
  shares: Float32Array,
  { joined: joinedTruth, lines, alignment }: Truth,
): void {
  for (const [block, blockWords] of wordsByBlock.entries()) {
    if (blockWords.length === 0 || blockWords.length >= sequenceLength) continue
    const text = blockWords.join(' ')
    const minShare = lines.has(text) ? 0.5 : 0.9
    if (!joinedTruth.includes(` ${text} `)) shares[block] = 0
    else if (alignment.inOrder[block] === 1) {
      shares[block] = lines.has(text) || contentAround(shares, wordsByBlock, block) >= 0.5 ? 1 : -1
    } else if (alignment.covered > minCoverage) shares[block] = 0
    else shares[block] = contentAround(shares, wordsByBlock, block) >= minShare ? 1 : -1
  }
}

/** Returns the content share of the longer texts around a block, weighted by distance. */
function contentAround(shares: Float32Array, wordsByBlock: string[][], block: number): number {
  let sum = 0
  let count = 0
  for (
    let index = Math.max(0, block - 5);
    index <= Math.min(wordsByBlock.length - 1, block + 5);
    index += 1
  ) {
    const length = wordsByBlock[index]?.length ?? 0
    if (index === block || length < sequenceLength) continue
    const weight = Math.min(length, 20) / (1 + Math.abs(index - block))
    sum += weight * Math.max(0, shares[index] ?? 0)
    count += weight
  }
  return count === 0 ? 0.5 : sum / count
}
