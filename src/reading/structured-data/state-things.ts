import type { EmbeddedState } from './embedded-state.ts'
import type { Thing, Value } from './thing.ts'

/** A state may hold a whole shop. */
const mostObjects = 4000
const mostValues = 60_000
const mostProperties = 200
const deepest = 14

/** What the state of a page describes: its objects, outermost first, and its lists of objects. */
export interface StateThings {
  things: Thing[]
  lists: Thing[][]
}

/** The data that a page passes to its own scripts, in the form of things: names are those that its programs use. */
export function stateThings(states: readonly EmbeddedState[]): StateThings {
  const found: StateThings = { things: [], lists: [] }
  const reader: Reader = { found, values: 0, made: new Map() }
  for (const { name, value } of states) readValue(value, name, reader, 0)
  // Made from within; a reader looks at what stands outside first.
  found.things.reverse()
  return found
}

interface Reader {
  found: StateThings
  values: number
  /** A state that was written flat uses an object at several places. */
  made: Map<object, Thing>
}

function readValue(value: unknown, name: string, reader: Reader, depth: number): Value[] {
  reader.values += 1
  if (reader.values > mostValues || depth > deepest) return []
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [value]
  if (Array.isArray(value)) return readList(value, name, reader, depth)
  return typeof value === 'object' && value !== null ? [readObject(value, name, reader, depth)] : []
}

function readList(list: readonly unknown[], name: string, reader: Reader, depth: number): Value[] {
  const values = list.slice(0, mostObjects).flatMap((part) => readValue(part, name, reader, depth + 1))
  const things = values.filter((value) => typeof value === 'object')
  if (things.length > 1 && things.length === list.length) reader.found.lists.push(things)
  return values
}

function readObject(source: object, name: string, reader: Reader, depth: number): Thing {
  const known = reader.made.get(source)
  if (known) return known
  const thing: Thing = { types: [typeOf(source, name)], properties: new Map() }
  reader.made.set(source, thing)
  let plain = 0
  for (const [key, value] of Object.entries(source).slice(0, mostProperties)) {
    const values = readValue(value, key, reader, depth + 1)
    if (values.length === 0) continue
    thing.properties.set(key, values)
    if (values.some((part) => typeof part !== 'object')) plain += 1
  }
  if (plain > 1 && reader.found.things.length < mostObjects) reader.found.things.push(thing)
  return thing
}

/** What the object is called by its kind, else by the place where it stands. */
function typeOf(source: object, name: string): string {
  const kind = '__typename' in source ? source.__typename : undefined
  return typeof kind === 'string' ? kind : name
}
