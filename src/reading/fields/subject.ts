import { endOf, isInside, type Node, none, parentOf, root, type Tree } from '../../content/tree/tree.ts'
import type { Found } from './found.ts'
import type { Lines } from './lines.ts'
import type { Slot } from './slots.ts'

/** Fields that the page, its site and other things on it have as well. */
export const commonConcepts: ReadonlySet<string> = new Set(
  'title description image url author published modified language siteName keywords category'.split(' '),
)

const leastScore = 0.55
const fewest = 3
/** A part with more of the page than this is the page. */
const mostOfPage = 0.7

/** The part of the page that holds what is asked for, such as the card of a recipe; `none` where it is the whole page. */
export function subjectOf(lines: Lines, read: readonly ReadonlyMap<Slot, Found>[]): Node {
  const nodes = new Map<string, Node>()
  for (const values of read) {
    for (const [slot, { node, score }] of values) {
      const isCommon = slot.names.concept === undefined || commonConcepts.has(slot.names.concept)
      if (node !== undefined && score >= leastScore && !isCommon && !nodes.has(slot.path))
        nodes.set(slot.path, node)
    }
  }
  if (nodes.size < fewest) return none
  const { tree, list, before } = lines
  const around = [...nodes.values()].reduce((one, other) => commonAncestor(tree, one, other))
  const held = (before[endOf(tree, around)] ?? 0) - (before[around] ?? 0)
  return around > root && held <= list.length * mostOfPage ? around : none
}

function commonAncestor(tree: Tree, one: Node, other: Node): Node {
  let at = one
  while (at > root && at !== other && !isInside(tree, other, at)) at = parentOf(tree, at)
  return at
}
