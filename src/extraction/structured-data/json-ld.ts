import { isObject } from '../schema/field-spec.ts'
import { bareName, isStructuredItem, type StructuredItem, type Value } from './structured-item.ts'

const maxItems = 20_000
const maxValues = 100_000
const maxDepth = 32

/** Returns the items of the blocks, each before its nested items, with references to other items resolved. */
export function jsonLdItems(blocks: unknown[]): { outermost: StructuredItem[]; all: StructuredItem[] } {
  const reader: Reader = { entities: [], values: 0 }
  const outermost = blocks.flatMap((block) => readOutermost(block, reader, 0))
  resolveReferences(reader.entities)
  return { outermost, all: reader.entities }
}

interface Reader {
  entities: StructuredItem[]
  values: number
}

function readOutermost(block: unknown, reader: Reader, depth: number): StructuredItem[] {
  if (depth > maxDepth) return []
  if (Array.isArray(block))
    return block.slice(0, maxItems).flatMap((part) => readOutermost(part, reader, depth + 1))
  if (!isObject(block)) return []
  const graph = readOutermost(block['@graph'], reader, depth + 1)
  const item = readItem(block, reader, 0)
  return item && block['@type'] !== undefined ? [item, ...graph] : graph
}

function readItem(source: Record<string, unknown>, reader: Reader, depth: number) {
  if (depth > maxDepth || reader.entities.length >= maxItems) return undefined
  const types = [source['@type']].flat().filter((type) => typeof type === 'string')
  const item: StructuredItem = { types: types.map(bareName), properties: new Map() }
  if (typeof source['@id'] === 'string') item.id = source['@id']
  reader.entities.push(item)
  for (const [name, value] of Object.entries(source)) {
    if (name.startsWith('@') && name !== '@value') continue
    const values = [value].flat().flatMap((part) => readValue(part, reader, depth + 1))
    if (values.length > 0) item.properties.set(bareName(name), values)
  }
  return item
}

function readValue(value: unknown, reader: Reader, depth: number): Value[] {
  reader.values += 1
  if (reader.values > maxValues) return []
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [value]
  if (!isObject(value)) return []
  if (typeof value['@value'] === 'string' || typeof value['@value'] === 'number') return [value['@value']]
  const list = value['@list'] ?? value['@set']
  if (Array.isArray(list) && depth <= maxDepth)
    return list.slice(0, maxValues).flatMap((part) => readValue(part, reader, depth + 1))
  const item = readItem(value, reader, depth)
  return item ? [item] : []
}

/** Replaces an item that has only an id by the item with the same id that has properties. */
function resolveReferences(items: StructuredItem[]): void {
  const described = new Map<string, StructuredItem>()
  for (const item of items)
    if (item.id !== undefined && item.properties.size > 0 && !described.has(item.id))
      described.set(item.id, item)
  const resolve = (value: Value): Value =>
    isStructuredItem(value) && value.properties.size === 0 ? (described.get(value.id ?? '') ?? value) : value
  for (const { properties } of items)
    for (const [name, values] of properties) properties.set(name, values.map(resolve))
}
