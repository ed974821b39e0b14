import { tagSet } from '../tree/names.ts'
import { isText, type Node, none, root, type Tree } from '../tree/tree.ts'

/** Elements without a meaning for their content. */
const plain = tagSet('article body center div html main section')

/** The innermost element that holds all that is not left out, so that no empty wrappers are written. */
export function narrowest(tree: Tree, skipped: Uint8Array): Node {
  let node = root
  while (node === root || plain[tree.tags[node] ?? 0] === 1) {
    const only = onlyChild(tree, skipped, node)
    if (only === none) break
    node = only
  }
  return node
}

/** The one element inside that is left, if there is no other and no text beside it. */
function onlyChild(tree: Tree, skipped: Uint8Array, parent: Node): Node {
  let only = none
  const end = tree.ends[parent] ?? 0
  for (let node = parent + 1; node < end; node = tree.ends[node] ?? end) {
    if (skipped[node] === 1 || isBlankText(tree, node)) continue
    if (only !== none || isText(tree, node)) return none
    only = node
  }
  return only
}

function isBlankText(tree: Tree, node: Node): boolean {
  const start = tree.starts[node] ?? 0
  return isText(tree, node) && start >= 0 && tree.html.slice(start, tree.stops[node]).trim() === ''
}
