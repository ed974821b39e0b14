import { attr, tagSet } from '../../content/tree/names.ts'
import { attribute, type Node, parentOf, type Tree, tagOf } from '../../content/tree/tree.ts'

const struck = tagSet('del s strike')
const mostLevels = 12
const struckClass = /(?:^|[\s:_-])(?:line-through|strike-?through|text-strike|strike|struck)(?:$|[\s_])/
const struckStyle = /text-decoration[^;]{0,40}line-through/i

/** Whether an element crosses out what it holds: by what it is, by a class that says so, or by its style. */
export function isStruck(tree: Tree, node: Node): boolean {
  if (struck[tagOf(tree, node)] === 1) return true
  const called = attribute(tree, node, attr.class)
  if (called !== undefined && called.length < 400 && struckClass.test(called)) return true
  const style = attribute(tree, node, attr.style)
  return style !== undefined && style.length < 400 && struckStyle.test(style)
}

/** Whether an element around a text crosses it out, up to the one that holds its line. */
export function isInStruck(tree: Tree, node: Node, holder: Node): boolean {
  for (
    let at = parentOf(tree, node), up = 0;
    at >= holder && at > 0 && up < mostLevels;
    at = parentOf(tree, at), up += 1
  )
    if (isStruck(tree, at)) return true
  return false
}
