import { Document, Element, isText, Text } from 'domhandler'
import { integrationPoints, scopeBorders, specialElements, tableParts, voidElements } from './tree-rules.ts'

export interface TreeLimits {
  /** Elements inside elements; a deeper one becomes a sibling of its parent. */
  maxDepth: number
  /** Elements and texts together; what comes after is left out. */
  maxNodes: number
}

export interface Tree {
  root: Document
  /** The depth limit was met: nothing is lost, but some elements stand higher than they were. */
  isFlattened: boolean
  /** The node limit was met: the rest of the page is missing. */
  isCut: boolean
}

/** A tree that grows at its open end. */
export interface OpenElements {
  tree: Tree
  limits: TreeLimits
  stack: Place[]
  /**
   * Every search is answered from here, so that a page of stray end tags at full depth is read as fast as
   * any.
   */
  placesByName: Map<string, number[]>
  nodes: number
  isAfterPreformatted: boolean
}

/** A place on the stack, with the nearest places at or below it that stop a search. */
interface Place {
  element: Element
  isForeign: boolean
  /** No end tag reaches below it, except one that belongs to a table. */
  scope: number
  /** No stray end tag of an inline element reaches below it. */
  special: number
  /** A new list item does not end one below it. */
  list: number
}

export function openTree(limits: TreeLimits): OpenElements {
  const tree = { root: new Document([]), isFlattened: false, isCut: false }
  return { tree, limits, stack: [], placesByName: new Map(), nodes: 0, isAfterPreformatted: false }
}

export function currentName(open: OpenElements): string {
  return open.stack.at(-1)?.element.name ?? ''
}

/** Whether the open end lies in SVG or MathML, where other rules hold. */
export function isForeign(open: OpenElements): boolean {
  return open.stack.at(-1)?.isForeign ?? false
}

/** The place of the innermost open element of one of these names, or -1. */
export function nearest(open: OpenElements, names: Iterable<string>): number {
  let place = -1
  for (const name of names) place = Math.max(place, open.placesByName.get(name)?.at(-1) ?? -1)
  return place
}

/** The place that a search of this kind does not pass, or -1. */
export function border(open: OpenElements, kind: 'scope' | 'special' | 'list'): number {
  return open.stack.at(-1)?.[kind] ?? -1
}

/** Closes elements until so many are open. */
export function closeTo(open: OpenElements, length: number): void {
  while (open.stack.length > length) closeCurrent(open)
}

export function closeCurrent(open: OpenElements): void {
  const top = open.stack.pop()
  if (top) open.placesByName.get(top.element.name)?.pop()
}

export function addElement(open: OpenElements, name: string, attributes: Record<string, string>): void {
  if (open.stack.length >= open.limits.maxDepth) {
    open.tree.isFlattened = true
    closeCurrent(open)
  }
  const element = new Element(name, attributes)
  if (!append(open, element) || (voidElements.has(name) && !isForeign(open))) return
  push(open, element)
  open.isAfterPreformatted = name === 'pre' || name === 'textarea' || name === 'listing'
}

export function addText(open: OpenElements, text: string): void {
  const isBlank = !/\S/.test(text)
  if (!isBlank && currentName(open) === 'head') closeCurrent(open)
  // Between the cells of a large table these would be a third of all nodes.
  if (isBlank && isBetweenCells(currentName(open))) return
  const kept = open.isAfterPreformatted && text.startsWith('\n') ? text.slice(1) : text
  const last = (open.stack.at(-1)?.element ?? open.tree.root).children.at(-1)
  if (last && isText(last)) last.data += kept
  else if (kept !== '') append(open, new Text(kept))
  open.isAfterPreformatted = false
}

const isBetweenCells = (name: string) => tableParts.has(name) && !/^(?:td|th|caption)$/.test(name)

function append(open: OpenElements, node: Element | Text): boolean {
  open.tree.isCut ||= open.nodes >= open.limits.maxNodes
  if (open.tree.isCut) return false
  open.nodes += 1
  const parent = open.stack.at(-1)?.element ?? open.tree.root
  const previous = parent.children.at(-1)
  if (previous) {
    previous.next = node
    node.prev = previous
  }
  node.parent = parent
  parent.children.push(node)
  open.isAfterPreformatted = false
  return true
}

function push(open: OpenElements, element: Element): void {
  const { name } = element
  const index = open.stack.length
  const below = open.stack.at(-1)
  const isSpecial = specialElements.has(name)
  const startsForeign = name === 'svg' || name === 'math'
  open.stack.push({
    element,
    isForeign: startsForeign || (isForeign(open) && !integrationPoints.has(name)),
    scope: scopeBorders.has(name) ? index : (below?.scope ?? -1),
    special: isSpecial ? index : (below?.special ?? -1),
    list: isSpecial && !/^(?:address|div|p)$/.test(name) ? index : (below?.list ?? -1),
  })
  const places = open.placesByName.get(name)
  if (places) places.push(index)
  else open.placesByName.set(name, [index])
}
