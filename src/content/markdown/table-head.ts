import { attr, tag } from '../tree/names.ts'
import { attribute, classOf, endOf, type Node, parentOf, type Tree } from '../tree/tree.ts'
import { isBlank } from './visible.ts'

const headNames =
  /(?:^|\s)(?:head(?:er|ing)?|thead|col-?head(?:er)?|t(?:able|bl)[-_]?head(?:er|ing)?|header[-_]?row|head[-_]?row)(?:\s|$)/i

/**
 * Whether the first row of a table without any cells for heads names the columns: all of it is bold and the second
 * is not, or its class says so.
 */
export function isHeadInDisguise(
  tree: Tree,
  first: readonly Node[],
  second: readonly Node[] | undefined,
): boolean {
  const [cell] = first
  if (cell === undefined || second === undefined || first.length < 2) return false
  const isNamed = (node: Node) => headNames.test(classOf(tree, node) ?? '')
  if (isNamed(parentOf(tree, cell)) || first.every(isNamed)) return true
  if (first.every((one) => attribute(tree, one, attr.role) === 'columnheader')) return true
  return isBold(tree, first) && !isBold(tree, second)
}

/** Whether cells, at least two of which say something, say nothing that is not bold. */
function isBold(tree: Tree, cells: readonly Node[]): boolean {
  let bold = 0
  for (const cell of cells) {
    const end = endOf(tree, cell)
    let isMarked = false
    for (let at = cell + 1; at < end; ) {
      const isStrong = tree.tags[at] === tag.b || tree.tags[at] === tag.strong
      if (tree.tags[at] === 0 && !isBlank(tree, at)) return false
      if (isStrong) isMarked = true
      at = isStrong ? endOf(tree, at) : at + 1
    }
    if (isMarked) bold += 1
  }
  return bold > 1
}

/** A head is bold already. */
export const withoutStrong = (text: string) => text.replace(/^\*\*((?:[^*\\]|\\.)+)\*\*$/, '$1')
