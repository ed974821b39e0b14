import { type Node, type Tree, textAt } from '../tree/tree.ts'

/** The first characters of the text of an element, at least this many if it has them. */
export function beginningOf(tree: Tree, node: Node, most: number): string {
  const end = tree.ends[node] ?? 0
  let text = ''
  for (let at = node; at < end && text.length < most; at += 1) {
    if (tree.tags[at] === 0) text += textAt(tree, at)
  }
  return text
}
