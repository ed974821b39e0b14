import { attr, listedAttributes, listedTags, tag } from './names.ts'

export type Node = number

export const root: Node = 0
export const none: Node = -1

/**
 * A parsed page as flat arrays in document order. The descendants of a node follow it directly, up to `ends`, so a
 * subtree is a range and a traversal is a loop.
 */
export interface Tree {
  /** The page without carriage returns and NULs; texts and values are ranges of it. */
  html: string
  codes: Uint16Array
  count: number
  tags: Uint16Array
  parents: Int32Array
  ends: Int32Array
  /** 1 for an element with its own end tag. End tags of `html` and `body` close nothing and are not recorded. */
  endTags: Uint8Array
  /** For a text: start and end offset. For an element: index of its first attribute, and the index after its last. */
  starts: Int32Array
  stops: Int32Array
  attributes: ReturnType<typeof createAttributes>
  /** Decoded texts and values with character references: a start of `-1 - index` points here. */
  decoded: string[]
  otherTags: string[]
  /** True if the depth limit was reached: nothing is lost, but some elements were moved up. */
  isFlattened: boolean
  isTruncated: boolean
  /** Unclosed construct at the end of the page, whose content is not read as text. */
  unclosedConstruct: string | undefined
}

export function createAttributes(size: number) {
  return {
    names: new Uint16Array(size),
    nameStarts: new Int32Array(size),
    nameStops: new Int32Array(size),
    starts: new Int32Array(size),
    stops: new Int32Array(size),
  }
}

export const isText = (tree: Tree, node: Node) => tree.tags[node] === 0 && node !== root

export const tagOf = (tree: Tree, node: Node): number => tree.tags[node] ?? 0

export const parentOf = (tree: Tree, node: Node): Node => tree.parents[node] ?? none

export const endOf = (tree: Tree, node: Node): Node => tree.ends[node] ?? tree.count

export const hasEndTag = (tree: Tree, node: Node): boolean => tree.endTags[node] === 1

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

export function textAt(tree: Tree, node: Node): string {
  return readRange(tree, tree.starts[node] ?? 0, tree.stops[node] ?? 0)
}

export const textOf = (tree: Tree, node: Node) => readTexts(tree, node, endOf(tree, node))

export function readTexts(tree: Tree, from: Node, end: Node, minLength = Infinity): string {
  let text = ''
  for (let at = from; at < end && text.length < minLength; at += 1) {
    if (isText(tree, at)) text += textAt(tree, at)
  }
  return text
}

export function findTag(tree: Tree, name: number, from: Node, end: Node): Node {
  for (let at = from; at < end; at += 1) if (tree.tags[at] === name) return at
  return none
}

export function findNode(from: Node, end: Node, test: (at: Node) => boolean): Node {
  for (let at = from; at < end; at += 1) if (test(at)) return at
  return none
}

export function findChild(tree: Tree, parent: Node, test: (at: Node) => boolean): Node {
  const end = endOf(tree, parent)
  for (let at = parent + 1; at < end; at = endOf(tree, at)) if (test(at)) return at
  return none
}

export function findOnlyChild(tree: Tree, parent: Node, isIgnored = isBlankText): Node {
  const isRelevant = (at: Node) => !isIgnored(tree, at)
  const first = findChild(tree, parent, isRelevant)
  const last = findChild(tree, parent, (at) => at > first && isRelevant(at))
  return last === none ? first : none
}

export const isBlankText = (tree: Tree, node: Node) =>
  tree.tags[node] === 0 && textAt(tree, node).trim() === ''

export function nextElement(tree: Tree, node: Node): Node {
  const end = endOf(tree, parentOf(tree, node))
  for (let at = endOf(tree, node); at < end; at = endOf(tree, at)) if (tree.tags[at] !== 0) return at
  return none
}

export function childrenOf(tree: Tree, parent: Node): Node[] {
  const children: Node[] = []
  const end = endOf(tree, parent)
  for (let at = parent + 1; at < end; at = endOf(tree, at)) children.push(at)
  return children
}

/** Merges adjacent nodes into ranges, because together they may be one paragraph. */
export function mergeRanges(tree: Tree, nodes: readonly Node[]): { from: Node; end: Node }[] {
  const ranges: { from: Node; end: Node }[] = []
  for (const node of nodes) {
    const last = ranges.at(-1)
    const end = endOf(tree, node)
    if (last?.end === node) last.end = end
    else ranges.push({ from: Math.max(node, 1), end })
  }
  return ranges
}

export function findAround(tree: Tree, node: Node, test: (at: Node) => boolean): Node {
  for (let at = node; at > root; at = parentOf(tree, at)) if (test(at)) return at
  return none
}

export function isDialog(tree: Tree, node: Node): boolean {
  const role = attribute(tree, node, attr.role)?.trim().toLowerCase()
  return tree.tags[node] === tag.dialog || role === 'dialog' || role === 'alertdialog'
}

export function isNamed(tree: Tree, node: Node, pattern: RegExp): boolean {
  return pattern.test(classOf(tree, node) ?? '') || pattern.test(attribute(tree, node, attr.id) ?? '')
}

/** Returns the value of a listed attribute (`attr.href`). If an attribute is repeated, the first one counts. */
export function attribute(tree: Tree, node: Node, name: number): string | undefined {
  const at = findAttribute(tree, node, name)
  return at === none ? undefined : attributeValue(tree, at)
}

export const hasAttribute = (tree: Tree, node: Node, name: number) => findAttribute(tree, node, name) !== none

function findAttribute(tree: Tree, node: Node, name: number): number {
  if (tree.tags[node] === 0) return none
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (tree.attributes.names[at] === name) return at
  }
  return none
}

export function attributeNamed(tree: Tree, node: Node, name: string): string | undefined {
  if (tree.tags[node] === 0) return undefined
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (attributeName(tree, at) === name) return attributeValue(tree, at)
  }
  return undefined
}

/** Returns all attributes with lower-case names; if one is repeated, the first. */
export function attributesOf(tree: Tree, node: Node): Map<string, string> {
  const values = new Map<string, string>()
  if (tree.tags[node] === 0) return values
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    const name = attributeName(tree, at)
    if (!values.has(name)) values.set(name, attributeValue(tree, at))
  }
  return values
}

export const classOf = (tree: Tree, node: Node) => attribute(tree, node, attr.class)

export function attributesSource(tree: Tree, node: Node): string {
  const [first, stop] = [tree.starts[node] ?? 0, tree.stops[node] ?? 0]
  if (tree.tags[node] === 0 || first === stop) return ''
  return tree.html.slice(
    (tree.attributes.nameStarts[first] ?? 1) - 1,
    (tree.attributes.stops[stop - 1] ?? 0) + 1,
  )
}

export function attributeName(tree: Tree, at: number): string {
  const { names, nameStarts, nameStops } = tree.attributes
  const listed = listedAttributes[names[at] ?? 0]
  return listed || tree.html.slice(nameStarts[at], nameStops[at]).toLowerCase()
}

export function attributeValue(tree: Tree, at: number): string {
  return readRange(tree, tree.attributes.starts[at] ?? 0, tree.attributes.stops[at] ?? 0)
}

function readRange(tree: Tree, start: number, stop: number): string {
  return start < 0 ? (tree.decoded[-1 - start] ?? '') : tree.html.slice(start, stop)
}
