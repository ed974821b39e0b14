import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { listedTags } from './names.ts'
import { characterCodes } from './source.ts'
import { type Attributes, type Node, none, type Tree } from './tree.ts'

export interface TreeLimits {
  /** Elements inside elements; a deeper one becomes a sibling of its parent. */
  maxDepth: number
  /** Elements and texts together; what comes after is left out. */
  maxNodes: number
}

/** A tree that grows at its end. */
export interface TreeWriter {
  tree: Tree
  limits: TreeLimits
  attributeCount: number
  /** Numbers of names that are not listed. */
  otherTagIds: Map<string, number>
  /** Where the next "&" of the page stands, so that texts without one are not searched. */
  nextAmpersand: number
}

export function createTreeWriter(html: string, limits: TreeLimits): TreeWriter {
  // Most pages have a node for every 20 characters or fewer.
  const nodes = Math.min(limits.maxNodes, 64 + (html.length >> 4))
  const tree: Tree = {
    html,
    codes: characterCodes(html),
    count: 1,
    tags: new Uint16Array(nodes),
    parents: new Int32Array(nodes),
    ends: new Int32Array(nodes),
    endTags: new Uint8Array(nodes),
    starts: new Int32Array(nodes),
    stops: new Int32Array(nodes),
    attributes: newAttributes(nodes),
    decoded: [],
    otherTags: [],
    isFlattened: false,
    isCut: false,
    endsInside: undefined,
  }
  tree.parents[0] = none
  return { tree, limits, attributeCount: 0, otherTagIds: new Map(), nextAmpersand: html.indexOf('&') }
}

/** A new node at the end, or `none` when the tree is full. */
export function addNode(writer: TreeWriter, parent: Node, tag: number, start: number, stop: number): Node {
  const { tree } = writer
  const node = tree.count
  if (node >= writer.limits.maxNodes) {
    tree.isCut = true
    return none
  }
  if (node >= tree.tags.length) growNodes(tree)
  tree.tags[node] = tag
  tree.parents[node] = parent
  tree.ends[node] = node + 1
  tree.starts[node] = start
  tree.stops[node] = stop
  tree.count = node + 1
  return node
}

export function addAttribute(
  writer: TreeWriter,
  name: number,
  nameStart: number,
  nameStop: number,
  start: number,
  stop: number,
): void {
  const at = writer.attributeCount
  if (at >= writer.tree.attributes.names.length) growAttributes(writer.tree)
  const { names, nameStarts, nameStops, starts, stops } = writer.tree.attributes
  const isDecoded = holdsReference(writer, start, stop)
  names[at] = name
  nameStarts[at] = nameStart
  nameStops[at] = nameStop
  starts[at] = isDecoded ? keep(writer, decodeHTMLAttribute(writer.tree.html.slice(start, stop))) : start
  stops[at] = stop
  writer.attributeCount = at + 1
}

/** Where a text begins, for the tree: itself, or the place of its decoded form. */
export function textStart(writer: TreeWriter, start: number, stop: number): number {
  if (!holdsReference(writer, start, stop)) return start
  return keep(writer, decodeHTML(writer.tree.html.slice(start, stop)))
}

function holdsReference(writer: TreeWriter, start: number, stop: number): boolean {
  if (writer.nextAmpersand === -1 || writer.nextAmpersand >= stop) return false
  if (writer.nextAmpersand < start) {
    writer.nextAmpersand = writer.tree.html.indexOf('&', start)
    return writer.nextAmpersand !== -1 && writer.nextAmpersand < stop
  }
  return true
}

function keep({ tree }: TreeWriter, text: string): number {
  return -tree.decoded.push(text)
}

const maxTags = 0xffff

/** The number of a tag that is not listed. Pages with tens of thousands of names share the last one. */
export function otherTag(writer: TreeWriter, name: string): number {
  const known = writer.otherTagIds.get(name)
  if (known !== undefined) return known
  const { otherTags } = writer.tree
  if (listedTags.length + otherTags.length >= maxTags) return maxTags - 1
  const id = listedTags.length + otherTags.push(name) - 1
  writer.otherTagIds.set(name, id)
  return id
}

function newAttributes(size: number): Attributes {
  return {
    names: new Uint16Array(size),
    nameStarts: new Int32Array(size),
    nameStops: new Int32Array(size),
    starts: new Int32Array(size),
    stops: new Int32Array(size),
  }
}

function growNodes(tree: Tree): void {
  tree.tags = grown(tree.tags)
  tree.parents = grown(tree.parents)
  tree.ends = grown(tree.ends)
  tree.endTags = grown(tree.endTags)
  tree.starts = grown(tree.starts)
  tree.stops = grown(tree.stops)
}

function growAttributes(tree: Tree): void {
  const { names, nameStarts, nameStops, starts, stops } = tree.attributes
  tree.attributes = {
    names: grown(names),
    nameStarts: grown(nameStarts),
    nameStops: grown(nameStops),
    starts: grown(starts),
    stops: grown(stops),
  }
}

function grown<Values extends Uint8Array | Uint16Array | Int32Array>(values: Values): Values {
  const larger = emptyLike(values, values.length * 2)
  larger.set(values)
  // The same kind of array as was given.
  return larger as Values
}

function emptyLike(values: Uint8Array | Uint16Array | Int32Array, length: number) {
  if (values instanceof Uint8Array) return new Uint8Array(length)
  return values instanceof Uint16Array ? new Uint16Array(length) : new Int32Array(length)
}
