import { attr, tag } from './names.ts'
import { attribute, endOf, isText, type Node, parentOf, root, type Tree, tagName, tagOf } from './tree.ts'

const maxSteps = 40
const plainId = /^[A-Za-z][\w-]{0,80}$/
const plainTag = /^[a-z][a-z0-9-]*$/

interface ChildCounts {
  next: Node
  all: number
  ofTag: Map<number, number>
}

/** Writes selectors from the nearest id. Siblings are counted once, so all selectors take linear time. */
export function createSelectorWriter(tree: Tree): (node: Node) => string {
  const steps = new Map<Node, string>()
  const childCounts = new Map<Node, ChildCounts>()

  function getStep(node: Node): string {
    const parent = parentOf(tree, node)
    const counts = childCounts.get(parent) ?? { next: parent + 1, all: 0, ofTag: new Map() }
    childCounts.set(parent, counts)
    for (; counts.next <= node; counts.next = endOf(tree, counts.next)) {
      if (!isText(tree, counts.next)) steps.set(counts.next, createNextStep(counts))
    }
    return steps.get(node) ?? '*'
  }

  function createNextStep(counts: ChildCounts): string {
    const name = tagOf(tree, counts.next)
    const position = (counts.ofTag.get(name) ?? 0) + 1
    counts.all += 1
    counts.ofTag.set(name, position)
    const tag = tagName(tree, counts.next)
    return plainTag.test(tag) ? `${tag}:nth-of-type(${position})` : `*:nth-child(${counts.all})`
  }

  return (node) => {
    const path: string[] = []
    const element = isText(tree, node) ? parentOf(tree, node) : node
    for (let at = element; at > root && path.length < maxSteps; at = parentOf(tree, at)) {
      const id = attribute(tree, at, attr.id)
      const name = tagOf(tree, at)
      const topName = name === tag.html || name === tag.body ? tagName(tree, at) : undefined
      const start = id !== undefined && plainId.test(id) ? `#${id}` : topName
      path.push(start ?? getStep(at))
      if (start !== undefined) break
    }
    return path.reverse().join(' > ')
  }
}
