import { parseForeignJson } from '../../platform/json/json.ts'
import { readJson, readLiteral } from './literal.ts'
import type { StructuredItem, Value } from './structured-item.ts'

/** Entries that are put together; a state may hold a whole shop. */
const maxEntries = 200_000
const maxDepth = 40

/** Written before a value to say what it was in the program. */
const wrappers = new Set(['Reactive', 'ShallowReactive', 'Ref', 'ShallowRef', 'EmptyRef', 'EmptyShallowRef'])

/**
 * A state that was written as one flat list, whose objects and lists name their values by their places in it, as it was before;
 * anything else as it is. What is used at several places is shared, and what holds itself is left out there.
 */
function unflattened(value: unknown): unknown {
  if (!Array.isArray(value) || value.length < 2 || !isRoot(value[0], value.length)) return value
  const list: unknown[] = value
  const known = new Map<number, unknown>()
  let room = maxEntries

  function at(place: unknown, depth: number): unknown {
    if (typeof place !== 'number' || !Number.isInteger(place)) return undefined
    if (place < 0 || place >= list.length || depth > maxDepth || room <= 0) return undefined
    if (known.has(place)) return known.get(place)
    // Until it is known: one that holds itself finds nothing.
    known.set(place, undefined)
    const entry = list[place]
    const made = typeof entry === 'object' && entry !== null ? put(entry, depth) : entry
    known.set(place, made)
    return made
  }

  function put(entry: object, depth: number): unknown {
    if (!Array.isArray(entry)) {
      const fields = Object.entries(entry).slice(0, Math.max(0, room))
      room -= fields.length
      return Object.fromEntries(
        fields.filter(([name]) => name !== '__proto__').map(([name, place]) => [name, at(place, depth + 1)]),
      )
    }
    const [kind] = entry
    if (typeof kind === 'string') return wrappers.has(kind) ? at(entry[1], depth + 1) : entry[1]
    const places = entry.slice(0, Math.max(0, room))
    room -= places.length
    return places.map((place) => at(place, depth + 1))
  }

  return at(0, 0)
}

/** The first entry is the whole: the data of the page by their places in the list, perhaps wrapped. */
function isRoot(first: unknown, length: number): boolean {
  if (typeof first !== 'object' || first === null) return false
  if (Array.isArray(first)) return wrappers.has(String(first[0])) && typeof first[1] === 'number'
  // A list of ordinary objects that hold numbers would look the same but for the name.
  const isPlace = (place: unknown) => Number.isInteger(place) && Number(place) < length
  return Object.hasOwn(first, 'data') && Object.values(first).every(isPlace)
}

/** The data that a page passes to its own scripts. */
export interface EmbeddedState {
  name: string
  value: unknown
}

export interface Script {
  id: string
  type: string
  text: string
}

const maxStates = 50

/**
 * Whole JSON blocks, and JSON that is given to a name: to those that frameworks have for it, such as `__INITIAL_STATE__`, first,
 * then to any name of the window, or at the beginning of a line or statement.
 */
export function embeddedStates(scripts: Script[]): EmbeddedState[] {
  const states: EmbeddedState[] = []
  const add = (found: EmbeddedState[]) =>
    states.push(...found.filter(({ value }) => typeof value === 'object' && value !== null))
  for (const script of scripts) {
    if (isJson(script)) add([{ name: script.id, value: unflattened(readJson(script.text)) }])
    else if (isCode(script)) {
      add([{ name: script.id, value: unflattened(wholeJson(script)) }])
      add(assignedStates(script.text, assignment))
    }
  }
  for (const { text } of scripts.filter(isCode)) {
    if (states.length >= maxStates) break
    add(assignedStates(text, anyAssignment, minLength))
  }
  return states.slice(0, maxStates)
}

/** What the page told its tag manager, in order. */
export function dataLayerPushes(scripts: Script[]): unknown[] {
  const pushes: unknown[] = []
  for (const { text } of scripts.filter(isCode)) {
    for (const { value } of literalsAfter(text, /\bdataLayer(?:\.push\s*\(|\s*=\s*(?=\[))\s*/g)) {
      pushes.push(...[value].flat().slice(0, maxStates))
    }
    for (const event of literalsAfter(text, /\bgtag\s*\(\s*(["'])event\1\s*,\s*(["'])view_item\2\s*,\s*/g)) {
      pushes.push({ event: 'view_item', ecommerce: event.value })
    }
  }
  return pushes.slice(0, maxStates)
}

function isJson({ type }: Script): boolean {
  return /^(?:application|text)\/(?!ld\+)(?:[\w.-]+\+)?json\b/.test(type)
}

/** Some pages omit the type of a block that only contains JSON. */
function wholeJson({ text }: Script): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return parseForeignJson(text)
  } catch {
    return undefined
  }
}

function isCode({ type }: Script): boolean {
  return /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/.test(type)
}

const assignment = /\b(__[A-Za-z][A-Za-z0-9_]{0,60})["']?\]?\s*=\s*(?:JSON\.parse\(\s*)?(?=[{["'])/g

/** Data after it is only searched for the subject of the page. */
const anyAssignment =
  /(?:^|[;,{}\n])[ \t]*(?:(?:var|let|const)\s+)?((?:window|self|globalThis|theme|[A-Za-z_$][\w$]{0,60})(?:\.[A-Za-z_$][\w$]{0,60}|\[["'][\w.$-]{1,60}["']\]){0,4})\s*=\s*(?:JSON\.parse\(\s*(?=["'`])|(?=[{[]\s*["{[]))/g

/** Shorter than any description of a product; scripts have many of these. */
const minLength = 80

function assignedStates(text: string, pattern: RegExp, least = 0): EmbeddedState[] {
  return literalsAfter(text, pattern, least).map(({ found, value }) => ({
    name: found[1] ?? '',
    value: typeof value === 'string' ? readJson(value) : value,
  }))
}

/** A literal that breaks off was read in vain, perhaps to the end of the script: all of them together no more than twice. */
const maxFailedInRow = 2
/** A fixed cost for each of them, because even a short one takes time. */
const maxFailures = 5000

/** Literals that follow a pattern; one inside another is not looked for. */
function literalsAfter(
  text: string,
  pattern: RegExp,
  least = 0,
): { found: RegExpExecArray; value: unknown }[] {
  const literals: { found: RegExpExecArray; value: unknown }[] = []
  const search = new RegExp(pattern)
  let inVain = 0
  let failures = 0
  while (literals.length < maxStates && failures < maxFailures && inVain <= maxFailedInRow * text.length) {
    const found = search.exec(text)
    if (!found) break
    const literal = readLiteral(text, search.lastIndex)
    if (!literal.ok) {
      inVain += literal.end - search.lastIndex
      failures += 1
      continue
    }
    if (literal.end - search.lastIndex >= least) literals.push({ found, value: literal.value })
    search.lastIndex = literal.end
  }
  return literals
}

/** A state may hold a whole shop. */
const maxObjects = 4000
const maxValues = 60_000
const maxProperties = 200
const deepest = 14

/** What the state of a page describes: its objects, outermost first, and its lists of objects. */
export interface StateItems {
  things: StructuredItem[]
  lists: StructuredItem[][]
}

/** The data that a page passes to its own scripts, in the form of things: names are those that its programs use. */
export function stateItems(states: readonly EmbeddedState[]): StateItems {
  const found: StateItems = { things: [], lists: [] }
  const reader: Reader = { found, values: 0, made: new Map() }
  for (const { name, value } of states) readValue(value, name, reader, 0)
  // Made from within; a reader looks at what stands outside first.
  found.things.reverse()
  return found
}

interface Reader {
  found: StateItems
  values: number
  /** A state that was written flat uses an object at several places. */
  made: Map<object, StructuredItem>
}

function readValue(value: unknown, name: string, reader: Reader, depth: number): Value[] {
  reader.values += 1
  if (reader.values > maxValues || depth > deepest) return []
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [value]
  if (Array.isArray(value)) return readList(value, name, reader, depth)
  return typeof value === 'object' && value !== null ? [readObject(value, name, reader, depth)] : []
}

function readList(list: readonly unknown[], name: string, reader: Reader, depth: number): Value[] {
  const values = list.slice(0, maxObjects).flatMap((part) => readValue(part, name, reader, depth + 1))
  const things = values.filter((value) => typeof value === 'object')
  if (things.length > 1 && things.length === list.length) reader.found.lists.push(things)
  return values
}

function readObject(source: object, name: string, reader: Reader, depth: number): StructuredItem {
  const known = reader.made.get(source)
  if (known) return known
  const thing: StructuredItem = { types: [typeOf(source, name)], properties: new Map() }
  reader.made.set(source, thing)
  let plain = 0
  for (const [key, value] of Object.entries(source).slice(0, maxProperties)) {
    const values = readValue(value, key, reader, depth + 1)
    if (values.length === 0) continue
    thing.properties.set(key, values)
    if (values.some((part) => typeof part !== 'object')) plain += 1
  }
  if (plain > 1 && reader.found.things.length < maxObjects) reader.found.things.push(thing)
  return thing
}

/** What the object is called by its kind, else by the place where it stands. */
function typeOf(source: object, name: string): string {
  const kind = '__typename' in source ? source.__typename : undefined
  return typeof kind === 'string' ? kind : name
}
