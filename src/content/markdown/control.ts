import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, type Tree } from '../tree/tree.ts'
import { beginningOf } from './beginning.ts'

/** Next to a listing, a copy button is noise, and so are controls that fold its parts. */
export function isControl(tree: Tree, button: Node): boolean {
  const text = beginningOf(tree, button, 40).trim() || alternativeIn(tree, button)
  return /^(?:(?:copy|copied)\b.{0,20}|(?:expand|collapse) all|try it(?: out)?)$/is.test(text)
}

/** The alternative text of the image of a button without text. */
function alternativeIn(tree: Tree, button: Node): string {
  const end = tree.ends[button] ?? 0
  for (let at = button + 1; at < end; at += 1) {
    if (tree.tags[at] === tag.img) return attribute(tree, at, attr.alt)?.trim() ?? ''
  }
  return ''
}
