import { tag } from '../tree/names.ts'
import { type Node, none, root, type Tree } from '../tree/tree.ts'
import { type Blocks, fact, factsPerBlock } from './blocks.ts'
import type { Elements } from './elements.ts'

/**
 * The element that holds most of the running text: every paragraph speaks for the elements around it, the
 * nearer the louder, and links speak against. The oldest idea for finding an article, and still a good witness.
 */
export function bestContainer(tree: Tree, blocks: Blocks, elements: Elements): Node {
  const scores = new Map<Node, number>()
  for (let block = 0; block < blocks.count; block += 1) {
    const words = (blocks.words[block] ?? 0) - (blocks.linkWords[block] ?? 0)
    if (words < 8) continue
    const commas = blocks.facts[block * factsPerBlock + fact.commas] ?? 0
    const score = 1 + Math.min(commas, 10) * 0.5 + Math.min(words / 20, 5)
    let node = blocks.holders[block] ?? root
    const name = tree.tags[node] ?? 0
    if (name === tag.p || name === tag.blockquote || name === tag.li || name === tag.pre)
      node = parent(tree, node)
    for (let level = 0; level < 4 && node !== root; level += 1) {
      scores.set(node, (scores.get(node) ?? 0) + score / (level === 0 ? 1 : level * 2))
      node = parent(tree, node)
    }
  }
  let best = none
  let bestScore = 0
  for (const [node, sum] of scores) {
    const from = blocks.before[node] ?? 0
    const to = blocks.before[tree.ends[node] ?? 0] ?? 0
    const words = (blocks.wordsBefore[to] ?? 0) - (blocks.wordsBefore[from] ?? 0)
    const links = (blocks.linkWordsBefore[to] ?? 0) - (blocks.linkWordsBefore[from] ?? 0)
    const score =
      sum *
      (1 - links / (words || 1)) *
      (1 + Math.max(-0.5, Math.min(0.5, (elements.scores[node] ?? 0) / 128)))
    if (score > bestScore) {
      best = node
      bestScore = score
    }
  }
  return best
}

const parent = (tree: Tree, node: Node) => tree.parents[node] ?? root
