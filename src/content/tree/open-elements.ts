import { listedTags, tag } from './names.ts'
import { integrationPoints, openToItems, scopeBorders, specialElements } from './rules.ts'
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
  /** In SVG or MathML, where other rules hold. */
  foreign: Uint8Array
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

export function noneOpen(writer: TreeWriter): OpenElements {
  const size = writer.limits.maxDepth + 2
  return {
    writer,
    depth: 0,
    nodes: new Int32Array(size),
    tags: new Uint16Array(size),
    foreign: new Uint8Array(size),
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

export function isForeign(open: OpenElements): boolean {
  return open.depth > 0 && open.foreign[open.depth - 1] === 1
}

/** The place of the innermost open element of this name, or -1. */
export function lastPlace(open: OpenElements, name: number): number {
  return open.lastPlaces[name] ?? -1
}

export function nearest(open: OpenElements, names: readonly number[]): number {
  let place = -1
  for (const name of names) place = Math.max(place, lastPlace(open, name))
  return place
}

export function border(open: OpenElements, kind: 'scopes' | 'specials' | 'lists'): number {
  return open.depth === 0 ? -1 : (open[kind][open.depth - 1] ?? -1)
}

export function push(open: OpenElements, node: Node, name: number): void {
  const place = open.depth
  const isSpecial = specialElements[name] === 1
  const startsForeign = name === tag.svg || name === tag.math
  open.nodes[place] = node
  open.tags[place] = name
  open.foreign[place] = startsForeign || (isForeign(open) && integrationPoints[name] !== 1) ? 1 : 0
  open.scopes[place] = scopeBorders[name] === 1 ? place : border(open, 'scopes')
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
