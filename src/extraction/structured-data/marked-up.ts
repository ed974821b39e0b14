import { absoluteUrl } from '../../content/addresses.ts'
import { imageSource } from '../../content/image-source.ts'
import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  attributeNamed,
  endOf,
  hasAttribute,
  isText,
  type Node,
  parentOf,
  type Tree,
  tagOf,
  textAt,
} from '../../content/tree/tree.ts'
import { bareName, type StructuredItem } from './structured-item.ts'

const maxProperties = 20_000
/** A value is read from at most this many nodes: properties may hold each other, and the whole page. */
const maxNodesOfValue = 2000
const maxLengthOfValue = 50_000
const maxLength = 3_000_000

/** Things described by attributes of the elements that show them: the outermost ones, in document order. */
export function markedUpItems(tree: Tree, base: string, syntax: Syntax): StructuredItem[] {
  const outermost: StructuredItem[] = []
  const owners = new Map<Node, StructuredItem>()
  const adopters = adoptersOf(tree, syntax)
  const things = new Map<Node, StructuredItem>()
  const thingAt = (node: Node): StructuredItem | undefined => {
    const thing = things.get(node) ?? describedAt(tree, node, syntax)
    if (thing) things.set(node, thing)
    return thing
  }
  let [properties, length] = [0, 0]
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node)) continue
    const adopter = adopters.size === 0 ? undefined : adopters.get(attribute(tree, node, attr.id) ?? '')
    const owner = (adopter !== undefined && thingAt(adopter)) || owners.get(parentOf(tree, node))
    const thing = thingAt(node)
    const names = owner ? split(attribute(tree, node, syntax.names)).map(bareName) : []
    for (const name of names) {
      const value = thing ?? linkedItem(tree, node, name, base) ?? writtenValue(tree, node, base)
      properties += 1
      length += typeof value === 'string' ? value.length : 0
      if (properties > maxProperties || length > maxLength) return outermost
      addValue(owner, name, value)
    }
    if (thing && names.length === 0) outermost.push(thing)
    const inside = thing ?? owner
    if (inside) owners.set(node, inside)
  }
  return outermost
}

/** Which attributes say that an element is a thing, and which properties of a thing it holds. */
interface Syntax {
  describes: number
  types: number
  names: number
  /** Ids of elements elsewhere that belong to the thing. */
  adopts: number | undefined
}

export const microdata: Syntax = {
  describes: attr.itemscope,
  types: attr.itemtype,
  names: attr.itemprop,
  adopts: attr.itemref,
}

export const rdfa: Syntax = {
  describes: attr.typeof,
  types: attr.typeof,
  names: attr.property,
  adopts: undefined,
}

function describedAt(tree: Tree, node: Node, syntax: Syntax): StructuredItem | undefined {
  if (!hasAttribute(tree, node, syntax.describes)) return undefined
  return { types: split(attribute(tree, node, syntax.types)).map(bareName), properties: new Map() }
}

function split(list: string | undefined): string[] {
  return list?.split(/\s+/, 50).filter((part) => part !== '') ?? []
}

function adoptersOf(tree: Tree, { adopts, describes }: Syntax): Map<string, Node> {
  const adopters = new Map<string, Node>()
  if (adopts === undefined) return adopters
  for (let node = 1; node < tree.count; node += 1) {
    if (!hasAttribute(tree, node, describes)) continue
    for (const id of split(attribute(tree, node, adopts))) adopters.set(id, node)
  }
  return adopters
}

function addValue(owner: StructuredItem | undefined, name: string, value: StructuredItem | string): void {
  const values = owner?.properties.get(name)
  if (values) values.push(value)
  else owner?.properties.set(name, [value])
}

const addresses =
  /url$|^(?:sameAs|image|logo|license|item|mainEntityOfPage|mainEntity|significantLink|relatedLink|itemCondition|availability)$/i

/** A link that is not there for its address says whom it names: `<a property="affiliation" href="…">School of Law</a>`. */
function linkedItem(tree: Tree, node: Node, name: string, base: string): StructuredItem | undefined {
  if (tagOf(tree, node) !== tag.a || addresses.test(name) || hasAttribute(tree, node, attr.content))
    return undefined
  const [href, shown] = [attribute(tree, node, attr.href), shownText(tree, node)]
  if (href === undefined || shown === '') return undefined
  return {
    types: [],
    properties: new Map([
      ['name', [shown]],
      ['url', [absoluteUrl(href, base) ?? href]],
    ]),
  }
}

function writtenValue(tree: Tree, node: Node, base: string): string {
  const content = attribute(tree, node, attr.content)
  if (content !== undefined) return content
  const id = tagOf(tree, node)
  if (id === tag.img) return absoluteUrl(imageSource(tree, node), base) ?? ''
  const address =
    attribute(tree, node, attr.href) ??
    attribute(tree, node, attr.resource) ??
    attribute(tree, node, attr.src) ??
    (id === tag.object ? attributeNamed(tree, node, 'data') : undefined)
  if (address !== undefined) return absoluteUrl(address, base) ?? address
  return attribute(tree, node, attr.datetime) ?? attribute(tree, node, attr.value) ?? shownText(tree, node)
}

const unread = tagSet('script style template')

function shownText(tree: Tree, element: Node): string {
  const end = Math.min(endOf(tree, element), element + 1 + maxNodesOfValue)
  let shown = ''
  for (let node = element + 1; node < end && shown.length <= maxLengthOfValue; node += 1) {
    if (!isText(tree, node) || unread[tagOf(tree, parentOf(tree, node))] === 1) continue
    shown += textAt(tree, node).slice(0, maxLengthOfValue)
  }
  return shown.replace(/\s+/g, ' ').trim().slice(0, maxLengthOfValue)
}
