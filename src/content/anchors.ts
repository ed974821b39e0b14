import { attr, tag, tagSet } from './tree/names.ts'
import { attribute, endOf, type Node, parentOf, root, type Tree, textAt } from './tree/tree.ts'

/** A heading that links can lead to. */
export interface Anchor {
  /** Where the heading stands in the Markdown. */
  at: number
  /** The name of the place: what stands behind the number sign of a link to it. */
  id: string
}

/** The names of written headings; one without a name is left out. */
export function headingAnchors(tree: Tree, headings: readonly { node: Node; at: number }[]): Anchor[] {
  return headings.flatMap(({ node, at }) => {
    const id =
      nameOf(tree, node) ?? nameInside(tree, node) ?? nameAround(tree, node) ?? nameBefore(tree, node)
    return id === undefined ? [] : [{ at, id }]
  })
}

function nameOf(tree: Tree, node: Node): string | undefined {
  const id = attribute(tree, node, attr.id)
  if (id) return id
  return (tree.tags[node] === tag.a && attribute(tree, node, attr.name)) || undefined
}

/** More nodes than a heading has. */
const mostNodes = 50

function nameInside(tree: Tree, heading: Node): string | undefined {
  const end = Math.min(endOf(tree, heading), heading + mostNodes)
  for (let at = heading + 1; at < end; at += 1) {
    const name = nameOf(tree, at)
    if (name !== undefined) return name
  }
  return undefined
}

/** Generators name the section or the wrapper that a heading begins. */
const named = tagSet('article div header hgroup li section')
const mostLevels = 3

function nameAround(tree: Tree, heading: Node): string | undefined {
  let node = heading
  for (let level = 0; level < mostLevels; level += 1) {
    const parent = parentOf(tree, node)
    if (parent <= root || named[tree.tags[parent] ?? 0] !== 1 || !isFirst(tree, node, parent))
      return undefined
    const name = nameOf(tree, parent)
    if (name !== undefined) return name
    node = parent
  }
  return undefined
}

/** Whether nothing but blank text stands before a node in its parent. */
function isFirst(tree: Tree, node: Node, parent: Node): boolean {
  for (let at = parent + 1; at < node; at = endOf(tree, at)) {
    if (tree.tags[at] !== 0 || textAt(tree, at).trim() !== '') return false
  }
  return true
}

/** Older pages put an empty link with a name before a heading. */
function nameBefore(tree: Tree, heading: Node): string | undefined {
  for (let at = heading - 1; at > root && heading - at <= mostBefore; at -= 1) {
    if (tree.tags[at] === 0 && textAt(tree, at).trim() === '') continue
    const isEmptyLink = tree.tags[at] === tag.a && endOf(tree, at) <= heading
    return isEmptyLink ? nameOf(tree, at) : undefined
  }
  return undefined
}

const mostBefore = 4
