import { tag } from '../tree/names.ts'
import { type Node, type Tree, textOf } from '../tree/tree.ts'

/** The indent of a list inside another one, where spaces at the start of a line show nothing. */
const cellIndent = '&nbsp;&nbsp;'
const mostIndents = 8

/** What an item of a list inside the lists around it begins with, in the cell of a table. */
export const cellIndentOf = (tree: Tree, list: Node) => cellIndent.repeat(listsAround(tree, list))

/** Whether an item begins with another list, whose items stand for it. */
export function isEmptyItem(tree: Tree, item: Node): boolean {
  const end = tree.ends[item] ?? 0
  let at = item + 1
  while (at < end && tree.tags[at] === 0 && textOf(tree, at).trim() === '') at += 1
  return at === end || tree.tags[at] === tag.ul || tree.tags[at] === tag.ol
}

function listsAround(tree: Tree, list: Node): number {
  let lists = 0
  for (let at = tree.parents[list] ?? 0; at > 0 && lists < mostIndents; at = tree.parents[at] ?? 0) {
    const name = tree.tags[at] ?? 0
    if (name === tag.td || name === tag.th) break
    if (name === tag.ul || name === tag.ol) lists += 1
  }
  return lists
}
