import { attr, listedAttributes, listedTags, tag } from './names.ts'

/** A node of a tree: its place in document order. The root is 0. */
export type Node = number

export const root: Node = 0
export const none: Node = -1

/**
 * A parsed page as flat arrays in document order. Everything below a node stands right behind it, up to
 * `ends`, so a subtree is a range and a walk over it is a loop.
 */
export interface Tree {
  /** The page without carriage returns and NULs; texts and values are ranges of it. */
  html: string
  /** The same, as the codes of its characters. */
  codes: Uint16Array
  count: number
  /** The number of each node's tag; zero for a text. */
  tags: Uint16Array
  parents: Int32Array
  /** The first node behind each node that is not inside it. */
  ends: Int32Array
  /** 1 for an element that ends at an end tag of its own. Those of `html` and `body` end nothing and are not noted. */
  endTags: Uint8Array
  /** A text: where it begins and ends. An element: its first attribute and the one behind its last. */
  starts: Int32Array
  stops: Int32Array
  attributes: Attributes
  /** Texts and values that hold character references, decoded: a range from `-1 - place` points here. */
  decoded: string[]
  /** Names of tags that are not listed; their numbers follow the listed ones. */
  otherTags: string[]
  /** The depth limit was met: nothing is lost, but some elements stand higher than they were. */
  isFlattened: boolean
  /** The node limit was met: the rest of the page is missing. */
  isCut: boolean
  /** The page ends inside this, which was never closed: what stands there is not read as text. */
  endsInside: string | undefined
}

export interface Attributes {
  names: Uint16Array
  /** Where the name stands, for those that are not listed. */
  nameStarts: Int32Array
  nameStops: Int32Array
  starts: Int32Array
  stops: Int32Array
}

export const isText = (tree: Tree, node: Node) => tree.tags[node] === 0 && node !== root

export const tagOf = (tree: Tree, node: Node): number => tree.tags[node] ?? 0

export const parentOf = (tree: Tree, node: Node): Node => tree.parents[node] ?? none

/** The first node behind this one that is not inside it. */
export const endOf = (tree: Tree, node: Node): Node => tree.ends[node] ?? tree.count

/** Whether an element was closed by its author, and not only by what stands around it. */
export const hasEndTag = (tree: Tree, node: Node): boolean => tree.endTags[node] === 1

/** The next node with the same parent, or `none`. */
export function nextSibling(tree: Tree, node: Node): Node {
  const next = endOf(tree, node)
  return node !== root && next < endOf(tree, parentOf(tree, node)) ? next : none
}

export function isInside(tree: Tree, node: Node, ancestor: Node): boolean {
  return node > ancestor && node < endOf(tree, ancestor)
}

export function tagName(tree: Tree, node: Node): string {
  const id = tagOf(tree, node)
  return listedTags[id] ?? tree.otherTags[id - listedTags.length] ?? ''
}

/** The text of a text node. */
export function textAt(tree: Tree, node: Node): string {
  return range(tree, tree.starts[node] ?? 0, tree.stops[node] ?? 0)
}

/** All text below an element, as written, or of a text itself. */
export function textOf(tree: Tree, node: Node): string {
  let text = ''
  const end = endOf(tree, node)
  for (let at = node; at < end; at += 1) if (isText(tree, at)) text += textAt(tree, at)
  return text
}

/** The first element with a tag between two nodes, or `none`. */
export function findTag(tree: Tree, name: number, from: Node, end: Node): Node {
  for (let at = from; at < end; at += 1) if (tree.tags[at] === name) return at
  return none
}

/** A node or the nearest element around it that passes a test, or `none`. */
export function findAround(tree: Tree, node: Node, test: (at: Node) => boolean): Node {
  for (let at = node; at > root; at = parentOf(tree, at)) if (test(at)) return at
  return none
}

/** Whether an element is a dialog by its tag or its role. */
export function isDialog(tree: Tree, node: Node): boolean {
  const role = attribute(tree, node, attr.role)?.trim().toLowerCase()
  return tree.tags[node] === tag.dialog || role === 'dialog' || role === 'alertdialog'
}

/** Whether a class or the id of an element matches a pattern. */
export function isNamed(tree: Tree, node: Node, pattern: RegExp): boolean {
  return pattern.test(classOf(tree, node) ?? '') || pattern.test(attribute(tree, node, attr.id) ?? '')
}

/** The value of a listed attribute (`attr.href`). Of two with one name the first counts. */
export function attribute(tree: Tree, node: Node, name: number): string | undefined {
  if (tree.tags[node] === 0) return undefined
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (tree.attributes.names[at] === name) return attributeValue(tree, at)
  }
  return undefined
}

export function hasAttribute(tree: Tree, node: Node, name: number): boolean {
  if (tree.tags[node] === 0) return false
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (tree.attributes.names[at] === name) return true
  }
  return false
}

/** The value of any attribute, by its name in lower case. */
export function attributeNamed(tree: Tree, node: Node, name: string): string | undefined {
  if (tree.tags[node] === 0) return undefined
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (attributeName(tree, at) === name) return attributeValue(tree, at)
  }
  return undefined
}

/** All attributes, names in lower case; of two with one name the first. */
export function attributesOf(tree: Tree, node: Node): Map<string, string> {
  const found = new Map<string, string>()
  if (tree.tags[node] === 0) return found
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    const name = attributeName(tree, at)
    if (!found.has(name)) found.set(name, attributeValue(tree, at))
  }
  return found
}

export const classOf = (tree: Tree, node: Node) => attribute(tree, node, attr.class)

/** The attributes of an element as they are written, with the character before them and the one behind. */
export function writtenAttributes(tree: Tree, node: Node): string {
  const [first, stop] = [tree.starts[node] ?? 0, tree.stops[node] ?? 0]
  if (tree.tags[node] === 0 || first === stop) return ''
  return tree.html.slice(
    (tree.attributes.nameStarts[first] ?? 1) - 1,
    (tree.attributes.stops[stop - 1] ?? 0) + 1,
  )
}

/** The name of an attribute by its place, in lower case. */
export function attributeName(tree: Tree, at: number): string {
  const { names, nameStarts, nameStops } = tree.attributes
  const listed = listedAttributes[names[at] ?? 0]
  return listed || tree.html.slice(nameStarts[at], nameStops[at]).toLowerCase()
}

/** The value of an attribute by its place. */
export function attributeValue(tree: Tree, at: number): string {
  return range(tree, tree.attributes.starts[at] ?? 0, tree.attributes.stops[at] ?? 0)
}

function range(tree: Tree, start: number, stop: number): string {
  return start < 0 ? (tree.decoded[-1 - start] ?? '') : tree.html.slice(start, stop)
}
