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
const maxNodesOfValue = 2000
const maxLengthOfValue = 50_000
const maxLength = 3_000_000

/** Reads items from element attributes, in microdata or RDFa. Returns the outermost items in document order. */
export function markedUpItems(tree: Tree, base: string, syntax: Syntax): StructuredItem[] {
  const outermost: StructuredItem[] = []
  const owners = new Map<Node, StructuredItem>()
  const referencingItems = findReferencingItems(tree, syntax)
  const items = new Map<Node, StructuredItem>()
  const getItem = (node: Node): StructuredItem | undefined => {
    const item = items.get(node) ?? createItem(tree, node, syntax)
    if (item) items.set(node, item)
    return item
  }
  let [properties, length] = [0, 0]
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node)) continue
    const referencingItem =
      referencingItems.size === 0 ? undefined : referencingItems.get(attribute(tree, node, attr.id) ?? '')
    const owner =
      (referencingItem !== undefined && getItem(referencingItem)) || owners.get(parentOf(tree, node))
    const item = getItem(node)
    const names = owner ? splitNames(attribute(tree, node, syntax.nameAttribute)).map(bareName) : []
    for (const name of names) {
      const value = item ?? linkedItem(tree, node, name, base) ?? readValue(tree, node, base)
      properties += 1
      length += typeof value === 'string' ? value.length : 0
      if (properties > maxProperties || length > maxLength) return outermost
      const values = owner?.properties.get(name) ?? []
      values.push(value)
      owner?.properties.set(name, values)
    }
    if (item && names.length === 0) outermost.push(item)
    const currentItem = item ?? owner
    if (currentItem) owners.set(node, currentItem)
  }
  return outermost
}

interface Syntax {
  itemAttribute: number
  typeAttribute: number
  nameAttribute: number
  /** Attribute with the ids of elements outside of the item that contain its properties. */
  referenceAttribute: number | undefined
}

export const microdata: Syntax = {
  itemAttribute: attr.itemscope,
  typeAttribute: attr.itemtype,
  nameAttribute: attr.itemprop,
  referenceAttribute: attr.itemref,
}

export const rdfa: Syntax = {
  itemAttribute: attr.typeof,
  typeAttribute: attr.typeof,
  nameAttribute: attr.property,
  referenceAttribute: undefined,
}

function createItem(tree: Tree, node: Node, syntax: Syntax): StructuredItem | undefined {
  if (!hasAttribute(tree, node, syntax.itemAttribute)) return undefined
  return {
    types: splitNames(attribute(tree, node, syntax.typeAttribute)).map(bareName),
    properties: new Map(),
  }
}

function splitNames(list: string | undefined): string[] {
  return list?.split(/\s+/, 50).filter((part) => part !== '') ?? []
}

function findReferencingItems(tree: Tree, { referenceAttribute, itemAttribute }: Syntax): Map<string, Node> {
  const referencingItems = new Map<string, Node>()
  if (referenceAttribute === undefined) return referencingItems
  for (let node = 1; node < tree.count; node += 1) {
    if (!hasAttribute(tree, node, itemAttribute)) continue
    for (const id of splitNames(attribute(tree, node, referenceAttribute))) referencingItems.set(id, node)
  }
  return referencingItems
}

const urlProperties =
  /url$|^(?:sameAs|image|logo|license|item|mainEntityOfPage|mainEntity|significantLink|relatedLink|itemCondition|availability)$/i

/** Reads `<a property="affiliation" href="…">School of Law</a>` as an item with a name and a URL. */
function linkedItem(tree: Tree, node: Node, name: string, base: string): StructuredItem | undefined {
  if (tagOf(tree, node) !== tag.a || urlProperties.test(name) || hasAttribute(tree, node, attr.content))
    return undefined
  const [href, text] = [attribute(tree, node, attr.href), getText(tree, node)]
  if (href === undefined || text === '') return undefined
  const url = absoluteUrl(href, base) ?? href
  return { types: [], properties: new Map(Object.entries({ name: [text], url: [url] })) }
}

function readValue(tree: Tree, node: Node, base: string): string {
  const content = attribute(tree, node, attr.content)
  if (content !== undefined) return content
  const id = tagOf(tree, node)
  if (id === tag.img) return absoluteUrl(imageSource(tree, node), base) ?? ''
  const url =
    attribute(tree, node, attr.href) ??
    attribute(tree, node, attr.resource) ??
    attribute(tree, node, attr.src) ??
    (id === tag.object ? attributeNamed(tree, node, 'data') : undefined)
  if (url !== undefined) return absoluteUrl(url, base) ?? url
  return attribute(tree, node, attr.datetime) ?? attribute(tree, node, attr.value) ?? getText(tree, node)
}

const ignoredTags = tagSet('script style template')

function getText(tree: Tree, element: Node): string {
  const end = Math.min(endOf(tree, element), element + 1 + maxNodesOfValue)
  let text = ''
  for (let node = element + 1; node < end && text.length <= maxLengthOfValue; node += 1) {
    if (!isText(tree, node) || ignoredTags[tagOf(tree, parentOf(tree, node))] === 1) continue
    text += textAt(tree, node).slice(0, maxLengthOfValue)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, maxLengthOfValue)
}
