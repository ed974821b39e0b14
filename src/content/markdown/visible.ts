import { type Node, type Tree, textAt } from '../tree/tree.ts'
import { isSilent } from './facts.ts'
import { isSpace } from './scan.ts'

/** Whether a text shows nothing. */
export function isBlank(tree: Tree, node: Node): boolean {
  const start = tree.starts[node] ?? 0
  if (start < 0) return textAt(tree, node).trim() === ''
  const stop = tree.stops[node] ?? 0
  for (let at = start; at < stop; at += 1) if (!isSpace(tree.html.charCodeAt(at))) return false
  return true
}

/** Whether something between two nodes is written as text. */
export function hasText(tree: Tree, facts: Uint16Array, from: Node, end: Node): boolean {
  for (let at = from; at < end; ) {
    if (((facts[at] ?? 0) & isSilent) !== 0) at = tree.ends[at] ?? end
    else if (tree.tags[at] === 0 && !isBlank(tree, at)) return true
    else at += 1
  }
  return false
}
