import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, type Tree } from '../tree/tree.ts'
import { beginningOf } from './beginning.ts'

/** Beside a listing a button to copy it says nothing, nor what opens and closes its parts. */
export function isControl(tree: Tree, button: Node): boolean {
  const text = beginningOf(tree, button, 40).trim() || alternativeIn(tree, button)
  return /^(?:(?:copy|copied)\b.{0,20}|(?:expand|collapse) all|try it(?: out)?)$/is.test(text)
}

/** What the image of a button without words says. */
function alternativeIn(tree: Tree, button: Node): string {
  const end = tree.ends[button] ?? 0
  for (let at = button + 1; at < end; at += 1) {
    if (tree.tags[at] === tag.img) return attribute(tree, at, attr.alt)?.trim() ?? ''
  }
  return ''
}
