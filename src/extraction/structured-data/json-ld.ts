import { bareName, isStructuredItem, type StructuredItem, type Value } from './structured-item.ts'

/** Far above what a page says of itself, far below what could hurt. */
const maxThings = 20_000
const maxValues = 100_000
const maxDepth = 32

/** What the blocks describe, each before the things it holds, with references to other things of the page followed. */
export function jsonLdItems(blocks: unknown[]): { outermost: StructuredItem[]; all: StructuredItem[] } {
  const reader: Reader = { things: [], values: 0 }
  const outermost = blocks.flatMap((block) => outermostOf(block, reader, 0))
  follow(reader.things)
  return { outermost, all: reader.things }
}

interface Reader {
  things: StructuredItem[]
  values: number
}

function outermostOf(block: unknown, reader: Reader, depth: number): StructuredItem[] {
  if (depth > maxDepth) return []
  if (Array.isArray(block))
    return block.slice(0, maxThings).flatMap((part) => outermostOf(part, reader, depth + 1))
  if (!isObject(block)) return []
  const graph = outermostOf(block['@graph'], reader, depth + 1)
  const thing = readItem(block, reader, 0)
  return thing && block['@type'] !== undefined ? [thing, ...graph] : graph
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function readItem(
  source: Record<string, unknown>,
  reader: Reader,
  depth: number,
): StructuredItem | undefined {
  if (depth > maxDepth || reader.things.length >= maxThings) return undefined
  const types = [source['@type']].flat().filter((type) => typeof type === 'string')
  const thing: StructuredItem = { types: types.map(bareName), properties: new Map() }
  if (typeof source['@id'] === 'string') thing.id = source['@id']
  reader.things.push(thing)
  for (const [name, value] of Object.entries(source)) {
    if (name.startsWith('@') && name !== '@value') continue
    const values = [value].flat().flatMap((part) => readValue(part, reader, depth + 1))
    if (values.length > 0) thing.properties.set(bareName(name), values)
  }
  return thing
}

function readValue(value: unknown, reader: Reader, depth: number): Value[] {
  reader.values += 1
  if (reader.values > maxValues) return []
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [value]
  if (!isObject(value) || Array.isArray(value)) return []
  if (typeof value['@value'] === 'string' || typeof value['@value'] === 'number') return [value['@value']]
  const list = value['@list'] ?? value['@set']
  if (Array.isArray(list) && depth <= maxDepth) {
    return list.slice(0, maxValues).flatMap((part) => readValue(part, reader, depth + 1))
  }
  const thing = readItem(value, reader, depth)
  return thing ? [thing] : []
}

/** A thing that is only an id stands for the thing of that id which says more. */
function follow(things: StructuredItem[]): void {
  const described = new Map<string, StructuredItem>()
  for (const thing of things) {
    if (thing.id !== undefined && thing.properties.size > 0 && !described.has(thing.id)) {
      described.set(thing.id, thing)
    }
  }
  const meant = (value: Value): Value =>
    isStructuredItem(value) && value.properties.size === 0 ? (described.get(value.id ?? '') ?? value) : value
  for (const thing of things) {
    for (const [name, values] of thing.properties) thing.properties.set(name, values.map(meant))
  }
}
