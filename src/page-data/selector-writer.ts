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

/** How far the children of an element have been counted. */
interface Counted {
  next: Node
  all: number
  ofTag: Map<number, number>
}

/**
 * Writes CSS selectors of elements that are asked for in document order. Siblings are counted once, so all of them
 * together take no longer than one walk over the tree.
 */
export function selectorWriter(tree: Tree): (node: Node) => string {
  const steps = new Map<Node, string>()
  const counted = new Map<Node, Counted>()

  function step(node: Node): string {
    const known = steps.get(node)
    if (known !== undefined) return known
    const parent = parentOf(tree, node)
    const count = counted.get(parent) ?? { next: parent + 1, all: 0, ofTag: new Map() }
    counted.set(parent, count)
    for (; count.next <= node; count.next = endOf(tree, count.next)) {
      if (isText(tree, count.next)) continue
      const name = tagOf(tree, count.next)
      count.all += 1
      count.ofTag.set(name, (count.ofTag.get(name) ?? 0) + 1)
    }
    const shown = tagName(tree, node)
    const isPlain = /^[a-z][a-z0-9-]*$/.test(shown)
    const made = isPlain
      ? `${shown}:nth-of-type(${count.ofTag.get(tagOf(tree, node))})`
      : `*:nth-child(${count.all})`
    steps.set(node, made)
    return made
  }

  return (node) => {
    const path: string[] = []
    for (let at = node; at > root && path.length < mostSteps; at = parentOf(tree, at)) {
      const id = attribute(tree, at, attr.id)
      const name = tagOf(tree, at)
      const end =
        id !== undefined && plainId.test(id)
          ? `#${id}`
          : name === tag.html || name === tag.body
            ? tagName(tree, at)
            : undefined
      path.push(end ?? step(at))
      if (end !== undefined) break
    }
    return path.reverse().join(' > ')
  }
}
