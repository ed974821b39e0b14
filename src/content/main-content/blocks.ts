import { attr, tag, tagSet } from '../tree/names.ts'
import { characterCodes } from '../tree/source.ts'
import { hasAttribute, type Node, root, type Tree } from '../tree/tree.ts'
import { createTextFacts, fact, factsPerBlock, readText, type TextFacts } from './text-facts.ts'

/**
 * Text blocks of a page, in document order: paragraphs, headings, list items, cells. The blocks below an element are a
 * range, so a sum over any element is the difference of two prefix sums.
 */
export type Blocks = ReturnType<typeof createBlocks>
const blockTags = tagSet(`
  address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset
  figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu
  nav ol p pre search section summary table tbody td tfoot th thead tr ul xmp
`)

export const silentTags = tagSet(`
  audio canvas datalist embed frame head iframe math noembed noframes object script select style svg template
  textarea title video
`)

interface Reader {
  tree: Tree
  blocks: Blocks
  text: TextFacts
  isOpen: boolean
  links: number
  holders: Node[]
}

export function readBlocks(tree: Tree, readsNoscript: boolean): Blocks {
  const { tags, ends } = tree
  const blocks = createBlocks(tree)
  const reader: Reader = { tree, blocks, text: createTextFacts(), isOpen: false, links: 0, holders: [root] }
  let holderEnd = tree.count
  let linkEnd = 0
  let lineBreaks = 0
  let headingEnd = 0
  for (let node = 1; node < tree.count; node += 1) {
    while (node >= holderEnd) {
      endBlock(reader)
      reader.holders.pop()
      holderEnd = ends[reader.holders.at(-1) ?? root] ?? tree.count
    }
    blocks.before[node] = blocks.count
    const name = tags[node] ?? 0
    if (name === 0) {
      if (lineBreaks > 1) endBlock(reader)
      if (addText(reader, node, node < linkEnd)) lineBreaks = 0
    } else if (silentTags[name] === 1 || (name === tag.noscript && !readsNoscript)) {
      const end = ends[node] ?? 0
      blocks.before.fill(blocks.count, node, end)
      node = end - 1
    } else if (blockTags[name] === 1 && node >= headingEnd) {
      if (name >= tag.h1 && name <= tag.h6) headingEnd = endOfHeading(tree, node)
      endBlock(reader)
      lineBreaks = 0
      holderEnd = ends[node] ?? 0
      reader.holders.push(node)
    } else if (name === tag.br) lineBreaks += 1
    else if (name === tag.a && hasAttribute(tree, node, attr.href)) {
      linkEnd = ends[node] ?? 0
      reader.links += 1
    }
  }
  endBlock(reader)
  blocks.before[tree.count] = blocks.count
  blocks.wordsBefore = computePrefixSums(blocks.count, (block) => blocks.words[block] ?? 0)
  blocks.linkWordsBefore = computePrefixSums(blocks.count, (block) => blocks.linkWords[block] ?? 0)
  return blocks
}

const maxNodesInHeading = 60

function endOfHeading({ ends }: Tree, heading: Node): Node {
  const end = ends[heading] ?? 0
  return end - heading > maxNodesInHeading ? 0 : end
}

function createBlocks(tree: Tree) {
  let textCount = 0
  for (let node = 1; node < tree.count; node += 1) if (tree.tags[node] === 0) textCount += 1
  return {
    count: 0,
    /** First text node of each block, and the index after its last. */
    firsts: new Int32Array(textCount),
    lasts: new Int32Array(textCount),
    holders: new Int32Array(textCount),
    words: new Float32Array(textCount),
    linkWords: new Float32Array(textCount),
    facts: new Float32Array(textCount * factsPerBlock),
    hashes: new Int32Array(textCount),
    /** Number of blocks that begin before each node, and before the end of the page. */
    before: new Int32Array(tree.count + 1),
    /** Prefix sums: totals of all blocks before each block, and of all blocks. */
    wordsBefore: new Float64Array(),
    linkWordsBefore: new Float64Array(),
    /** Hash buckets of the first words of each block; those of block b begin at `bucketStarts[b]`. */
    buckets: new Int32Array(textCount * 16),
    bucketStarts: new Int32Array(textCount + 1),
  }
}

function addText(reader: Reader, node: Node, isLink: boolean): boolean {
  const { tree, blocks } = reader
  const start = tree.starts[node] ?? 0
  const codes = start < 0 ? characterCodes(tree.decoded[-1 - start] ?? '') : tree.codes
  const from = Math.max(0, start)
  const to = start < 0 ? codes.length : (tree.stops[node] ?? 0)
  if (!reader.isOpen && isBlank(codes, from, to)) return false
  const { last } = reader.text
  if (!reader.isOpen) beginBlock(reader, node)
  readText(reader.text, codes, from, to, isLink)
  blocks.lasts[blocks.count - 1] = node + 1
  return reader.text.last !== last
}

function isBlank(codes: Uint16Array, start: number, stop: number): boolean {
  for (let at = start; at < stop; at += 1) {
    if ((codes[at] ?? 0) > 32 && codes[at] !== 0xa0) return false
  }
  return true
}

function beginBlock(reader: Reader, node: Node): void {
  const { blocks } = reader
  const block = blocks.count
  reader.text = createTextFacts(reader.text.buckets)
  blocks.firsts[block] = node
  blocks.holders[block] = reader.holders.at(-1) ?? root
  blocks.count = block + 1
  reader.isOpen = true
}

function endBlock(reader: Reader): void {
  if (!reader.isOpen) {
    reader.links = 0
    return
  }
  const { blocks, text } = reader
  const block = blocks.count - 1
  blocks.words[block] = text.words
  blocks.linkWords[block] = text.linkWords
  blocks.hashes[block] = Math.imul(text.hash, 31) ^ text.letters
  const at = block * factsPerBlock
  blocks.facts[at + fact.letters] = text.letters
  blocks.facts[at + fact.capitals] = text.capitals
  blocks.facts[at + fact.commas] = text.commas
  blocks.facts[at + fact.fullStops] = text.fullStops
  blocks.facts[at + fact.capitalisedWords] = text.capitalisedWords
  blocks.facts[at + fact.currencySigns] = text.currencySigns
  blocks.facts[at + fact.last] = text.last
  blocks.facts[at + fact.links] = reader.links
  appendBuckets(blocks, block, text)
  reader.isOpen = false
  reader.links = 0
}

function appendBuckets(blocks: Blocks, block: number, text: TextFacts): void {
  const start = blocks.bucketStarts[block] ?? 0
  const stop = start + text.bucketCount
  if (stop > blocks.buckets.length) {
    const larger = new Int32Array(Math.max(stop, blocks.buckets.length * 2))
    larger.set(blocks.buckets)
    blocks.buckets = larger
  }
  for (let at = 0; at < text.bucketCount; at += 1) blocks.buckets[start + at] = text.buckets[at] ?? 0
  blocks.bucketStarts[block + 1] = stop
}

export function getBlockRange(tree: Tree, blocks: Blocks, node: Node): [from: number, to: number] {
  return [blocks.before[node] ?? 0, blocks.before[tree.ends[node] ?? 0] ?? 0]
}

export function computePrefixSums(count: number, getAmount: (block: number) => number) {
  const sums = new Float64Array(count + 1)
  for (let block = 0; block < count; block += 1) sums[block + 1] = (sums[block] ?? 0) + getAmount(block)
  return sums
}

export function countKeptWords(blocks: Blocks, kept: Uint8Array): number {
  let words = 0
  for (let block = 0; block < blocks.count; block += 1)
    words += (kept[block] ?? 0) * (blocks.words[block] ?? 0)
  return words
}
