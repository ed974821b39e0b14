import { tag } from '../tree/names.ts'
import { type Node, none, root, type Tree } from '../tree/tree.ts'
import { type Blocks, readBlocks } from './blocks.ts'
import { type Elements, readElements } from './elements.ts'
import { type PageFacts, readPageFacts } from './page-facts.ts'
import type { SiteBlocks } from './site-blocks.ts'
import { fact, factsPerBlock } from './text-facts.ts'

export interface Tables {
  names: Int8Array
  words: Int8Array
}

export interface Evidence {
  tree: Tree
  blocks: Blocks
  elements: Elements
  page: PageFacts
  texts: Float32Array
  bestContainer: Node
}

export interface PageSource {
  tree: Tree
  url: string
  readsNoscript: boolean
  hidden?: Uint8Array | undefined
  site?: SiteBlocks | undefined
}

export function readEvidence({ tree, url, readsNoscript, hidden }: PageSource, tables: Tables): Evidence {
  const blocks = readBlocks(tree, readsNoscript)
  const elements = readElements(tree, blocks, tables.names, hidden)
  const page = readPageFacts(tree, blocks, url)
  const bestContainer = findBestContainer(tree, blocks, elements)
  return { tree, blocks, elements, page, texts: scoreTexts(blocks, tables.words), bestContainer }
}

/** Scores each block by its first words. Other features cover the form of a long block. */
function scoreTexts(blocks: Blocks, words: Int8Array): Float32Array {
  const scores = new Float32Array(blocks.count)
  for (let block = 0; block < blocks.count; block += 1) {
    const from = blocks.bucketStarts[block] ?? 0
    const to = blocks.bucketStarts[block + 1] ?? 0
    let sum = 0
    for (let at = from; at < to; at += 1) sum += words[blocks.buckets[at] ?? 0] ?? 0
    if (to > from) scores[block] = sum / Math.sqrt(to - from)
  }
  return scores
}

export const elementOfBlock = (blocks: Blocks, block: number): Node => blocks.holders[block] ?? root

export const widerElement = (elements: Elements, node: Node): Node => elements.wider[node] ?? none

export function sumIn(tree: Tree, blocks: Blocks, sums: Float64Array, node: Node): number {
  return (sums[blocks.before[tree.ends[node] ?? 0] ?? 0] ?? 0) - (sums[blocks.before[node] ?? 0] ?? 0)
}

export const share = (part: number, total: number) => (total === 0 ? 0 : part / total)

/** The Readability heuristic: each paragraph adds to the scores of its ancestors by distance, and links subtract. */
function findBestContainer(tree: Tree, blocks: Blocks, elements: Elements): Node {
  const scores = new Map<Node, number>()
  for (let block = 0; block < blocks.count; block += 1) {
    const words = (blocks.words[block] ?? 0) - (blocks.linkWords[block] ?? 0)
    if (words < 8) continue
    const commas = blocks.facts[block * factsPerBlock + fact.commas] ?? 0
    const score = 1 + Math.min(commas, 10) * 0.5 + Math.min(words / 20, 5)
    let node = blocks.holders[block] ?? root
    const name = tree.tags[node] ?? 0
    if (name === tag.p || name === tag.blockquote || name === tag.li || name === tag.pre)
      node = tree.parents[node] ?? root
    for (let level = 0; level < 4 && node !== root; level += 1) {
      scores.set(node, (scores.get(node) ?? 0) + score / (level === 0 ? 1 : level * 2))
      node = tree.parents[node] ?? root
    }
  }
  let bestContainer = none
  let bestScore = 0
  for (const [node, sum] of scores) {
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    const links = sumIn(tree, blocks, blocks.linkWordsBefore, node)
    const score =
      sum *
      (1 - links / (words || 1)) *
      (1 + Math.max(-0.5, Math.min(0.5, (elements.scores[node] ?? 0) / 128)))
    if (score > bestScore) {
      bestContainer = node
      bestScore = score
    }
  }
  return bestContainer
}
