import { attr, tag } from '../content/tree/names.ts'
import {
  attribute,
  endOf,
  isText,
  type Node,
  parentOf,
  root,
  type Tree,
  tagName,
  tagOf,
} from '../content/tree/tree.ts'

const mostSteps = 40
/** Ids that need no escaping; others are passed by. */
const plainId = /^[A-Za-z][\w-]{0,80}$/

/** A CSS selector of the element in which a node stands: from the nearest id, by places among siblings of a tag. */
export function selectorOf(tree: Tree, node: Node): string {
  const steps: string[] = []
  let at = isText(tree, node) ? parentOf(tree, node) : node
  while (at > root && steps.length < mostSteps) {
    const id = attribute(tree, at, attr.id)
    if (id !== undefined && plainId.test(id)) {
      steps.push(`#${id}`)
      break
    }
    const name = tagOf(tree, at)
    if (name === tag.html || name === tag.body) {
      steps.push(tagName(tree, at))
      break
    }
    steps.push(step(tree, at))
    at = parentOf(tree, at)
  }
  return steps.reverse().join(' > ')
}

function step(tree: Tree, node: Node): string {
  const parent = parentOf(tree, node)
  const name = tagOf(tree, node)
  let [place, same] = [0, 0]
  for (let at = parent + 1; at < endOf(tree, parent) && at <= node; at = endOf(tree, at)) {
    if (tagOf(tree, at) !== name || isText(tree, at)) continue
    same += 1
    if (at === node) place = same
  }
  const shown = tagName(tree, node)
  return /^[a-z][a-z0-9-]*$/.test(shown) ? `${shown}:nth-of-type(${place})` : `*:nth-child(${place})`
}
