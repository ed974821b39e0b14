import { type Document, type Element, isTag, isText } from 'domhandler'
import { absoluteUrl, elementsOf, nodesOf } from '../../content/dom.ts'
import { imageSource } from '../../content/image-source.ts'
import { bareName, type Thing } from './thing.ts'

const maxProperties = 20_000
/** A value is read from so many nodes at most: properties may hold each other, and the whole page. */
const maxNodesOfValue = 2000
const maxLengthOfValue = 50_000
const maxLength = 3_000_000

/** Things described by attributes of the elements that show them: the outermost ones, in document order. */
export function markedUpThings(root: Document, base: string, syntax: Syntax): Thing[] {
  const outermost: Thing[] = []
  const owners = new Map<Element, Thing>()
  const adopters = adoptersOf(root, syntax)
  const things = new Map<Element, Thing>()
  const thingAt = (element: Element): Thing | undefined => {
    const thing = things.get(element) ?? syntax.describes(element)
    if (thing) things.set(element, thing)
    return thing
  }
  let [properties, length] = [0, 0]
  for (const element of elementsOf(root)) {
    const parent = element.parent && isTag(element.parent) ? owners.get(element.parent) : undefined
    const adopter = adopters.get(element.attribs.id ?? '')
    const owner = (adopter && thingAt(adopter)) ?? parent
    const thing = thingAt(element)
    const names = owner ? syntax.names(element) : []
    for (const name of names) {
      const value = thing ?? writtenValue(element, base)
      properties += 1
      length += typeof value === 'string' ? value.length : 0
      if (properties > maxProperties || length > maxLength) return outermost
      addValue(owner, name, value)
    }
    if (thing && names.length === 0) outermost.push(thing)
    const inside = thing ?? owner
    if (inside) owners.set(element, inside)
  }
  return outermost
}

/** How a way of marking up says that an element is a thing, and which properties of a thing it holds. */
interface Syntax {
  describes(element: Element): Thing | undefined
  names(element: Element): string[]
  /** Ids of elements elsewhere that belong to the thing. */
  adopts(element: Element): string[]
}

export const microdata: Syntax = {
  describes({ attribs }) {
    if (attribs.itemscope === undefined) return undefined
    return { types: split(attribs.itemtype).map(bareName), properties: new Map() }
  },
  names: ({ attribs }) => split(attribs.itemprop).map(bareName),
  adopts: ({ attribs }) => (attribs.itemscope === undefined ? [] : split(attribs.itemref)),
}

export const rdfa: Syntax = {
  describes({ attribs }) {
    if (attribs.typeof === undefined) return undefined
    return { types: split(attribs.typeof).map(bareName), properties: new Map() }
  },
  names: ({ attribs }) => split(attribs.property).map(bareName),
  adopts: () => [],
}

function split(list: string | undefined): string[] {
  return list?.split(/\s+/, 50).filter((part) => part !== '') ?? []
}

function adoptersOf(root: Document, syntax: Syntax): Map<string, Element> {
  const adopters = new Map<string, Element>()
  for (const element of elementsOf(root)) {
    for (const id of syntax.adopts(element)) adopters.set(id, element)
  }
  return adopters
}

function addValue(owner: Thing | undefined, name: string, value: Thing | string): void {
  const values = owner?.properties.get(name)
  if (values) values.push(value)
  else owner?.properties.set(name, [value])
}

function writtenValue(element: Element, base: string): string {
  const { attribs, name } = element
  if (attribs.content !== undefined) return attribs.content
  if (name === 'img') return absoluteUrl(imageSource(element), base) ?? ''
  const address =
    attribs.href ?? attribs.resource ?? attribs.src ?? (name === 'object' ? attribs.data : undefined)
  if (address !== undefined) return absoluteUrl(address, base) ?? address
  return attribs.datetime ?? attribs.value ?? shownText(element)
}

const unread = new Set(['script', 'style', 'template'])

function shownText(element: Element): string {
  const parts: string[] = []
  let nodes = 0
  let length = 0
  for (const node of nodesOf(element)) {
    nodes += 1
    if (nodes > maxNodesOfValue || length > maxLengthOfValue) break
    if (!isText(node) || (node.parent && isTag(node.parent) && unread.has(node.parent.name))) continue
    parts.push(node.data.slice(0, maxLengthOfValue))
    length += node.data.length
  }
  return parts.join('').replace(/\s+/g, ' ').trim().slice(0, maxLengthOfValue)
}
