import { decodeHTML, decodeHTMLAttribute } from 'entities'
import { listedTags } from './names.ts'
import { characterCodes } from './source.ts'
import { createAttributes, type Node, none, type Tree } from './tree.ts'

export interface TreeLimits {
  maxDepth: number
  maxNodes: number
}

export type TreeWriter = ReturnType<typeof createTreeWriter>

export function createTreeWriter(html: string, limits: TreeLimits) {
  // Most pages have at most one node per 20 characters; for others, the arrays grow.
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
    attributes: createAttributes(nodes),
    decoded: [],
    otherTags: [],
    isFlattened: false,
    isTruncated: false,
    unclosedConstruct: undefined,
  }
  tree.parents[0] = none
  return {
    tree,
    limits,
    attributeCount: 0,
    otherTagIds: new Map<string, number>(),
    /** Offset of the next "&" of the page, so that texts without "&" are not searched. */
    nextAmpersand: html.indexOf('&'),
  }
}

export function addNode(writer: TreeWriter, parent: Node, tag: number, start: number, stop: number): Node {
  const { tree } = writer
  const node = tree.count
  if (node >= writer.limits.maxNodes) {
    tree.isTruncated = true
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
  const hasReference = containsReference(writer, start, stop)
  names[at] = name
  nameStarts[at] = nameStart
  nameStops[at] = nameStop
  starts[at] = hasReference
    ? addDecoded(writer, decodeHTMLAttribute(writer.tree.html.slice(start, stop)))
    : start
  stops[at] = stop
  writer.attributeCount = at + 1
}

/** Returns `start`, or a negative index into `decoded` if the text contains character references. */
export function textStart(writer: TreeWriter, start: number, stop: number): number {
  if (!containsReference(writer, start, stop)) return start
  return addDecoded(writer, decodeHTML(writer.tree.html.slice(start, stop)))
}

function containsReference(writer: TreeWriter, start: number, stop: number): boolean {
  if (writer.nextAmpersand === -1 || writer.nextAmpersand >= stop) return false
  if (writer.nextAmpersand < start) {
    writer.nextAmpersand = writer.tree.html.indexOf('&', start)
    return writer.nextAmpersand !== -1 && writer.nextAmpersand < stop
  }
  return true
}

function addDecoded({ tree }: TreeWriter, text: string): number {
  return -tree.decoded.push(text)
}

const maxTags = 0xffff

/** Returns the number of an unlisted tag. After tens of thousands of names, others share the last number. */
export function getOtherTagId(writer: TreeWriter, name: string): number {
  const knownId = writer.otherTagIds.get(name)
  if (knownId !== undefined) return knownId
  const { otherTags } = writer.tree
  if (listedTags.length + otherTags.length >= maxTags) return maxTags - 1
  const id = listedTags.length + otherTags.push(name) - 1
  writer.otherTagIds.set(name, id)
  return id
}

function growNodes(tree: Tree): void {
  tree.tags = grow(tree.tags)
  tree.parents = grow(tree.parents)
  tree.ends = grow(tree.ends)
  tree.endTags = grow(tree.endTags)
  tree.starts = grow(tree.starts)
  tree.stops = grow(tree.stops)
}

function growAttributes(tree: Tree): void {
  const { names, nameStarts, nameStops, starts, stops } = tree.attributes
  tree.attributes = {
    names: grow(names),
    nameStarts: grow(nameStarts),
    nameStops: grow(nameStops),
    starts: grow(starts),
    stops: grow(stops),
  }
}

function grow<Values extends Uint8Array | Uint16Array | Int32Array>(values: Values): Values {
  // The constructor of a typed array creates the same array type.
  const larger = new (values.constructor as new (length: number) => Values)(values.length * 2)
  larger.set(values)
  return larger
}
