import { tagSet } from '../tree/names.ts'
import { isText, type Node, none, root, type Tree } from '../tree/tree.ts'

const plainTags = tagSet('article body center div html main section')

/** Returns the innermost element that contains all kept nodes, so that no empty wrappers are written. */
export function findNarrowest(tree: Tree, skipped: Uint8Array): Node {
  let node = root
  while (node === root || plainTags[tree.tags[node] ?? 0] === 1) {
    const only = findOnlyChild(tree, skipped, node)
    if (only === none) break
    node = only
  }
  return node
}

function findOnlyChild(tree: Tree, skipped: Uint8Array, parent: Node): Node {
  let child = none
  const end = tree.ends[parent] ?? 0
  for (let node = parent + 1; node < end; node = tree.ends[node] ?? end) {
    if (skipped[node] === 1 || isBlankText(tree, node)) continue
    if (child !== none || isText(tree, node)) return none
    child = node
  }
  return child
}

function isBlankText(tree: Tree, node: Node): boolean {
  const start = tree.starts[node] ?? 0
  return isText(tree, node) && start >= 0 && tree.html.slice(start, tree.stops[node]).trim() === ''
}
