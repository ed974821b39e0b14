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

/** A place on the stack of open elements, with the nearest places at or below it that stop a search. */
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

/** A tree that grows at its open end. */
export type OpenElements = ReturnType<typeof openElements>

export function openElements(limits: TreeLimits) {
  const tree: Tree = { root: new Document([]), isFlattened: false, isCut: false }
  const stack: Place[] = []
  // Every search is answered from these, so that a page of stray end tags at full depth costs no more than any other.
  const placesByName = new Map<string, number[]>()
  let nodes = 0
  let isAfterPreformatted = false

  const name = () => stack.at(-1)?.element.name ?? ''
  const isForeign = () => stack.at(-1)?.isForeign ?? false

  function push(element: Element): void {
    const index = stack.length
    const below = stack.at(-1)
    const elementName = element.name
    const isSpecial = specialElements.has(elementName)
    const startsForeign = elementName === 'svg' || elementName === 'math'
    stack.push({
      element,
      isForeign: startsForeign || (isForeign() && !integrationPoints.has(elementName)),
      scope: scopeBorders.has(elementName) ? index : (below?.scope ?? -1),
      special: isSpecial ? index : (below?.special ?? -1),
      list: isSpecial && !/^(?:address|div|p)$/.test(elementName) ? index : (below?.list ?? -1),
    })
    const places = placesByName.get(elementName)
    if (places) places.push(index)
    else placesByName.set(elementName, [index])
  }

  function pop(): void {
    const top = stack.pop()
    if (top) placesByName.get(top.element.name)?.pop()
  }

  function append(node: Element | Text): boolean {
    tree.isCut ||= nodes >= limits.maxNodes
    if (tree.isCut) return false
    nodes += 1
    const parent = stack.at(-1)?.element ?? tree.root
    const previous = parent.children.at(-1)
    if (previous) {
      previous.next = node
      node.prev = previous
    }
    node.parent = parent
    parent.children.push(node)
    isAfterPreformatted = false
    return true
  }

  function add(elementName: string, attributes: Record<string, string>): void {
    if (stack.length >= limits.maxDepth) {
      tree.isFlattened = true
      pop()
    }
    const element = new Element(elementName, attributes)
    if (!append(element) || (voidElements.has(elementName) && !isForeign())) return
    push(element)
    isAfterPreformatted = elementName === 'pre' || elementName === 'textarea' || elementName === 'listing'
  }

  function addText(value: string): void {
    const isBlank = !/\S/.test(value)
    if (name() === 'head' && !isBlank) pop()
    // Between the cells of a large table these would be a third of all nodes.
    if (isBlank && tableParts.has(name()) && name() !== 'td' && name() !== 'th' && name() !== 'caption')
      return
    const text = isAfterPreformatted && value.startsWith('\n') ? value.slice(1) : value
    const last = (stack.at(-1)?.element ?? tree.root).children.at(-1)
    if (last && isText(last)) last.data += text
    else if (text !== '') append(new Text(text))
    isAfterPreformatted = false
  }

  return {
    tree,
    name,
    isForeign,
    pop,
    add,
    addText,
    /** The place of the innermost open element of one of these names, or -1. */
    nearest(names: Iterable<string>): number {
      let place = -1
      for (const each of names) place = Math.max(place, placesByName.get(each)?.at(-1) ?? -1)
      return place
    },
    border: (kind: 'scope' | 'special' | 'list') => stack.at(-1)?.[kind] ?? -1,
    popTo(length: number): void {
      while (stack.length > length) pop()
    },
  }
}
