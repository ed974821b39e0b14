import type { Blocks } from '../../src/content/main-content/blocks.ts'
import { select } from '../../src/content/select.ts'
import type { Tree } from '../../src/content/tree/tree.ts'
import { type Alignment, align } from './alignment.ts'
import { blockText } from './block-text.ts'
import type { Container, Sample } from './samples.ts'

/** What a page teaches of each of its blocks. */
export interface Labels {
  /** The share of the words that belong to the content; -1 where nobody knows. */
  shares: Float32Array
  /** How much the block counts among those of its page. */
  weights: Float32Array
}

export function labelsOf(tree: Tree, blocks: Blocks, sample: Sample): Labels {
  if (sample.container !== undefined) return byContainer(tree, blocks, sample.container)
  const texts = Array.from({ length: blocks.count }, (_, block) => blockText(tree, blocks, block))
  return sample.text === undefined ? bySnippets(texts, sample) : byText(texts, sample.text)
}

/** Controls and marks of permanent links are no content of any page. */
const neverContent = 'button, input, select, textarea, a.headerlink, a.anchor, .linenos'

function byContainer(tree: Tree, blocks: Blocks, { main, drop = [], optional = [] }: Container): Labels {
  const shares = new Float32Array(blocks.count)
  const mark = (selector: string, share: number) => {
    const found = select(tree, selector)
    if (!found.ok) throw new Error(`"${selector}" cannot be selected.`)
    for (const node of found.nodes) {
      shares.fill(share, blocks.before[node] ?? 0, blocks.before[tree.ends[node] ?? 0] ?? 0)
    }
  }
  mark(main, 1)
  for (const selector of optional) mark(selector, -1)
  for (const selector of [...drop, neverContent]) mark(selector, 0)
  return { shares, weights: blocks.words.slice(0, blocks.count) }
}

/** Only blocks that hold a snippet are known. */
function bySnippets(texts: string[], sample: Sample): Labels {
  const shares = new Float32Array(texts.length).fill(-1)
  const weights = new Float32Array(texts.length)
  const flat = texts.map(flatten)
  const mark = (snippet: string, share: number) => {
    const wanted = flatten(snippet)
    const found = flat.flatMap((text, block) => (text.includes(wanted) ? [block] : []))
    for (const block of found) {
      // A text that stands on both sides teaches nothing.
      const isClash = (shares[block] ?? -1) >= 0 && shares[block] !== share
      shares[block] = isClash ? -1 : share
      weights[block] = isClash ? 0 : 1 / found.length
    }
  }
  for (const snippet of sample.with ?? []) mark(snippet, 1)
  for (const snippet of sample.without ?? []) mark(snippet, 0)
  return { shares, weights }
}

const flatten = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Three words in a row are rarely the same by chance; blocks of one or two are judged by those around them. */
const rowLength = 3

/** A line of so few words that is not there as a whole shares them with another sentence. */
const fewWords = 12

function byText(texts: string[], truth: string): Labels {
  const words = wordsOf(truth)
  const keys = texts.map(wordsOf)
  const rows = rowsOf(words)
  const shares = Float32Array.from(keys, (key) => {
    if (key.length === 0) return -1
    if (key.length < rowLength) return 0
    const share = coverage(key, rows)
    return key.length < fewWords && share < 0.9 ? 0 : share
  })
  const joined = ` ${words.join(' ')} `
  const alignment = align(keys, words, rowLength)
  dropRepeats(keys, shares, joined, alignment)
  judgeShort(keys, shares, {
    joined,
    alignment,
    lines: new Set(truth.split('\n').map((line) => wordsOf(line).join(' '))),
  })
  return { shares, weights: Float32Array.from(keys, (key) => key.length) }
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

function rowsOf(words: string[]): Set<string> {
  const rows = new Set<string>()
  for (let at = 0; at + rowLength <= words.length; at += 1) {
    rows.add(words.slice(at, at + rowLength).join(' '))
  }
  return rows
}

/** The share of the words that stand in a row which the truth has too. */
function coverage(key: string[], rows: Set<string>): number {
  const covered = new Uint8Array(key.length)
  for (let at = 0; at + rowLength <= key.length; at += 1) {
    if (rows.has(key.slice(at, at + rowLength).join(' '))) covered.fill(1, at, at + rowLength)
  }
  return covered.reduce((sum, value) => sum + value, 0) / key.length
}

/** A text that the page says more often than the truth belongs where its neighbours belong. */
function dropRepeats(keys: string[][], shares: Float32Array, joined: string, { inOrder }: Alignment): void {
  const places = new Map<string, number[]>()
  for (const [block, key] of keys.entries()) {
    if (key.length < rowLength || (shares[block] ?? 0) < 0.8) continue
    const text = key.join(' ')
    const known = places.get(text)
    if (known) known.push(block)
    else places.set(text, [block])
  }
  for (const [text, blocks] of places) {
    if (blocks.length < 2) continue
    const allowed = Math.max(1, joined.split(` ${text} `).length - 1)
    if (blocks.length <= allowed) continue
    const ranked = blocks
      .map((block) => ({ block, near: (inOrder[block] ?? 0) + contentAround(shares, keys, block) }))
      .sort((left, right) => right.near - left.near)
    for (const { block } of ranked.slice(allowed)) shares[block] = 0
  }
}

/** Where the order accounts for so much of the truth, what it leaves over is not meant. */
const wellCovered = 0.7

interface Truth {
  joined: string
  alignment: Alignment
  lines: ReadonlySet<string>
}

function judgeShort(keys: string[][], shares: Float32Array, { joined, lines, alignment }: Truth): void {
  for (const [block, key] of keys.entries()) {
    if (key.length === 0 || key.length >= rowLength) continue
    const text = key.join(' ')
    const needed = lines.has(text) ? 0.5 : 0.9
    if (!joined.includes(` ${text} `)) shares[block] = 0
    else if (alignment.inOrder[block] === 1) {
      shares[block] = lines.has(text) || contentAround(shares, keys, block) >= 0.5 ? 1 : -1
    } else if (alignment.covered > wellCovered) shares[block] = 0
    else shares[block] = contentAround(shares, keys, block) >= needed ? 1 : -1
  }
}

/** How much of the longer texts around a block is content, the nearer the more. */
function contentAround(shares: Float32Array, keys: string[][], block: number): number {
  let sum = 0
  let count = 0
  for (let at = Math.max(0, block - 5); at <= Math.min(keys.length - 1, block + 5); at += 1) {
    const length = keys[at]?.length ?? 0
    if (at === block || length < rowLength) continue
    const weight = Math.min(length, 20) / (1 + Math.abs(at - block))
    sum += weight * Math.max(0, shares[at] ?? 0)
    count += weight
  }
  return count === 0 ? 0.5 : sum / count
}
