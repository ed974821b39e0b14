import { attr, tag } from './names.ts'
import { attribute, endOf, isText, type Node, parentOf, root, type Tree, tagName, tagOf } from './tree.ts'

const maxSteps = 40
/** Ids that need no escaping; others are passed by. */
const plainId = /^[A-Za-z][\w-]{0,80}$/

const plainTag = /^[a-z][a-z0-9-]*$/

/** How far the children of an element have been counted. */
interface Counted {
  next: Node
  all: number
  ofTag: Map<number, number>
}

/**
 * Writes CSS selectors of the elements in which nodes stand: from the nearest id, by places among siblings. Siblings are counted
 * once, so all selectors of a page together take no longer than one walk over it.
 */
export function selectorWriter(tree: Tree): (node: Node) => string {
  const steps = new Map<Node, string>()
  const counted = new Map<Node, Counted>()

  function step(node: Node): string {
    const parent = parentOf(tree, node)
    const count = counted.get(parent) ?? { next: parent + 1, all: 0, ofTag: new Map() }
    counted.set(parent, count)
    for (; count.next <= node; count.next = endOf(tree, count.next)) {
      if (!isText(tree, count.next)) steps.set(count.next, nextStep(count))
    }
    return steps.get(node) ?? '*'
  }

  function nextStep(count: Counted): string {
    const name = tagOf(tree, count.next)
    const place = (count.ofTag.get(name) ?? 0) + 1
    count.all += 1
    count.ofTag.set(name, place)
    const shown = tagName(tree, count.next)
    return plainTag.test(shown) ? `${shown}:nth-of-type(${place})` : `*:nth-child(${count.all})`
  }

  return (node) => {
    const path: string[] = []
    const element = isText(tree, node) ? parentOf(tree, node) : node
    for (let at = element; at > root && path.length < maxSteps; at = parentOf(tree, at)) {
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
