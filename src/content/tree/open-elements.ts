import { listedTags } from './names.ts'
import { openToItems, scopeBorders, specialElements } from './rules.ts'
import { contentNamespace, html, type Space } from './source.ts'
import { type Node, none, root } from './tree.ts'
import type { TreeWriter } from './tree-writer.ts'

/**
 * The elements that are open where the page is being read, outermost first. Each place knows the nearest
 * places at or below it that stop a search, and the one before it of the same name; so no search walks, and a
 * page of stray end tags at full depth is read as fast as any.
 */
export interface OpenElements {
  writer: TreeWriter
  depth: number
  nodes: Int32Array
  tags: Uint16Array
  /** Elements below this place stay open, whatever ends. */
  floor: number
  /** What the elements in it belong to: in SVG and MathML other rules hold. */
  contents: Uint8Array
  /** The nearest place that belongs to HTML, and the nearest that does not. */
  htmls: Int32Array
  foreigns: Int32Array
  /** No end tag reaches below it, except one that belongs to a table. */
  scopes: Int32Array
  /** No stray end tag of an inline element reaches below it. */
  specials: Int32Array
  /** A new list item does not end one below it. */
  lists: Int32Array
  sameNames: Int32Array
  /** The innermost place of each name, by its number, or -1. */
  lastPlaces: number[]
}

export function createOpenElements(writer: TreeWriter): OpenElements {
  const size = writer.limits.maxDepth + 2
  return {
    writer,
    depth: 0,
    nodes: new Int32Array(size),
    tags: new Uint16Array(size),
    floor: 0,
    contents: new Uint8Array(size),
    htmls: new Int32Array(size),
    foreigns: new Int32Array(size),
    scopes: new Int32Array(size),
    specials: new Int32Array(size),
    lists: new Int32Array(size),
    sameNames: new Int32Array(size),
    lastPlaces: new Array<number>(listedTags.length).fill(-1),
  }
}

export function currentNode(open: OpenElements): Node {
  return open.depth === 0 ? root : (open.nodes[open.depth - 1] ?? root)
}

export function currentTag(open: OpenElements): number {
  return open.depth === 0 ? 0 : (open.tags[open.depth - 1] ?? 0)
}

/** What an element that begins here belongs to. */
export function currentNamespace(open: OpenElements): Space {
  return open.depth === 0 ? html : (open.contents[open.depth - 1] ?? html)
}

export const isForeignContent = (open: OpenElements) => currentNamespace(open) !== html

/** The place of the innermost open element of this name, or -1. */
export function lastPlace(open: OpenElements, name: number): number {
  return open.lastPlaces[name] ?? -1
}

export function nearest(open: OpenElements, names: readonly number[]): number {
  let place = -1
  for (const name of names) place = Math.max(place, lastPlace(open, name))
  return place
}

type Border = 'scopes' | 'specials' | 'lists' | 'htmls' | 'foreigns'

export function border(open: OpenElements, kind: Border): number {
  return open.depth === 0 ? -1 : (open[kind][open.depth - 1] ?? -1)
}

export function push(open: OpenElements, node: Node, name: number, space: Space): void {
  const place = open.depth
  const content = contentNamespace(space, name)
  const isHtml = space === html
  const isSpecial = isHtml ? specialElements[name] === 1 : content === html
  open.nodes[place] = node
  open.tags[place] = name
  open.contents[place] = content
  open.htmls[place] = isHtml ? place : border(open, 'htmls')
  open.foreigns[place] = isHtml ? border(open, 'foreigns') : place
  open.scopes[place] = isHtml && scopeBorders[name] === 1 ? place : border(open, 'scopes')
  open.specials[place] = isSpecial ? place : border(open, 'specials')
  open.lists[place] = isSpecial && openToItems[name] !== 1 ? place : border(open, 'lists')
  open.sameNames[place] = lastPlace(open, name)
  open.lastPlaces[name] = place
  open.depth = place + 1
}

export function closeCurrent(open: OpenElements): void {
  const place = open.depth - 1
  const node = open.nodes[place] ?? none
  open.lastPlaces[open.tags[place] ?? 0] = open.sameNames[place] ?? -1
  open.writer.tree.ends[node] = open.writer.tree.count
  open.depth = place
}

/** Closes the element at this place and all inside it. */
export function closeTo(open: OpenElements, place: number): void {
  while (open.depth > place && open.depth > 0) closeCurrent(open)
}
