import { tag, tagSet } from './tree/names.ts'
import { endOf, type Node, type Tree, tagOf, textAt } from './tree/tree.ts'

/**
 * Some forums send their pages twice: for scripts, and as text inside noscript. Only the second can be read.
 */
export function isWrittenInNoscript(tree: Tree, kept: readonly Node[]): boolean {
  let inside = 0
  for (const part of kept) inside += noscriptLength(tree, part)
  if (inside < 200) return false
  let outside = 0
  for (const part of kept) outside += textLength(tree, part, unreadOutside)
  return inside > outside * 2
}

const unread = tagSet('base head link meta script style template title')
const unreadOutside = tagSet('base head link meta noscript script style template title')

/** How much text stands in noscript at or below this node. */
function noscriptLength(tree: Tree, part: Node): number {
  let length = 0
  const end = endOf(tree, part)
  for (let node = part; node < end; ) {
    const id = tagOf(tree, node)
    if (id === tag.noscript) length += textLength(tree, node, unread)
    node = id === tag.noscript || unread[id] === 1 ? endOf(tree, node) : node + 1
  }
  return length
}

/** How much text stands at or below this node, outside of these elements. */
function textLength(tree: Tree, part: Node, without: Uint8Array): number {
  let length = 0
  const end = endOf(tree, part)
  for (let node = part; node < end; ) {
    const id = tagOf(tree, node)
    if (id === 0) length += textAt(tree, node).trim().length
    node = without[id] === 1 ? endOf(tree, node) : node + 1
  }
  return length
}
