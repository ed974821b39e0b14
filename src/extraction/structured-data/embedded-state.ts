import { parseForeignJson } from '../../platform/json/json.ts'
import { readJson, readLiteral } from './literal.ts'
import type { StructuredItem, Value } from './structured-item.ts'

const maxEntries = 200_000
const maxDepth = 40

/** Type names that the serializer writes before a value. */
const wrappers = new Set(['Reactive', 'ShallowReactive', 'Ref', 'ShallowRef', 'EmptyRef', 'EmptyShallowRef'])

/** Restores a state from a flat list, whose objects and lists refer to their values by index. */
function unflatten(value: unknown): unknown {
  if (!Array.isArray(value) || value.length < 2 || !isRoot(value[0], value.length)) return value
  const list: unknown[] = value
  const restored = new Map<number, unknown>()
  let remaining = maxEntries

  function restore(index: unknown, depth: number): unknown {
    if (typeof index !== 'number' || !Number.isInteger(index)) return undefined
    if (index < 0 || index >= list.length || depth > maxDepth || remaining <= 0) return undefined
    if (restored.has(index)) return restored.get(index)
    // Store undefined first, so that a circular reference resolves to undefined.
    restored.set(index, undefined)
    const entry = list[index]
    const value = typeof entry === 'object' && entry !== null ? restoreEntry(entry, depth) : entry
    restored.set(index, value)
    return value
  }

  function restoreEntry(entry: object, depth: number): unknown {
    if (!Array.isArray(entry)) {
      const fields = Object.entries(entry).slice(0, Math.max(0, remaining))
      remaining -= fields.length
      const safeFields = fields.filter(([name]) => name !== '__proto__')
      return Object.fromEntries(safeFields.map(([name, index]) => [name, restore(index, depth + 1)]))
    }
    const [kind] = entry
    if (typeof kind === 'string') return wrappers.has(kind) ? restore(entry[1], depth + 1) : entry[1]
    const indexes = entry.slice(0, Math.max(0, remaining))
    remaining -= indexes.length
    return indexes.map((index) => restore(index, depth + 1))
  }

  return restore(0, 0)
}

/** True if the first entry is the root, whose values are indexes in the list. The root may have a wrapper. */
function isRoot(first: unknown, length: number): boolean {
  if (typeof first !== 'object' || first === null) return false
  if (Array.isArray(first)) return wrappers.has(String(first[0])) && typeof first[1] === 'number'
  // Require the name `data`, because ordinary objects in a list may also contain numbers.
  const isIndex = (index: unknown) => Number.isInteger(index) && Number(index) < length
  return Object.hasOwn(first, 'data') && Object.values(first).every(isIndex)
}

export interface EmbeddedState {
  name: string
  value: unknown
}

export type Script = Record<'id' | 'type' | 'text', string>

const maxStates = 50

/** Finds JSON blocks, then framework variables such as `__INITIAL_STATE__`, then any other assigned variables. */
export function embeddedStates(scripts: Script[]): EmbeddedState[] {
  const states: EmbeddedState[] = []
  const add = (found: EmbeddedState[]) =>
    states.push(...found.filter(({ value }) => typeof value === 'object' && value !== null))
  for (const script of scripts) {
    const { id: name, text } = script
    if (jsonType.test(script.type)) add([{ name, value: unflatten(readJson(text)) }])
    else if (isCode(script))
      add([{ name, value: unflatten(parseWholeJson(script)) }, ...findAssignedStates(text, assignment)])
  }
  for (const { text } of scripts.filter(isCode)) {
    if (states.length >= maxStates) break
    add(findAssignedStates(text, anyAssignment, minStateLength))
  }
  return states.slice(0, maxStates)
}

const viewItemEvent = /\bgtag\s*\(\s*(["'])event\1\s*,\s*(["'])view_item\2\s*,\s*/g

export function dataLayerPushes(scripts: Script[]): unknown[] {
  const pushes: unknown[] = []
  for (const { text } of scripts.filter(isCode)) {
    for (const { value } of readLiteralsAfter(text, /\bdataLayer(?:\.push\s*\(|\s*=\s*(?=\[))\s*/g))
      pushes.push(...[value].flat().slice(0, maxStates))
    for (const { value } of readLiteralsAfter(text, viewItemEvent))
      pushes.push({ event: 'view_item', ecommerce: value })
  }
  return pushes.slice(0, maxStates)
}

const jsonType = /^(?:application|text)\/(?!ld\+)(?:[\w.-]+\+)?json\b/

/** Parses a script that contains only JSON, because some pages omit its type. */
function parseWholeJson({ text }: Script): unknown {
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

const anyAssignment =
  /(?:^|[;,{}\n])[ \t]*(?:(?:var|let|const)\s+)?((?:window|self|globalThis|theme|[A-Za-z_$][\w$]{0,60})(?:\.[A-Za-z_$][\w$]{0,60}|\[["'][\w.$-]{1,60}["']\]){0,4})\s*=\s*(?:JSON\.parse\(\s*(?=["'`])|(?=[{[]\s*["{[]))/g

const minStateLength = 80

function findAssignedStates(text: string, pattern: RegExp, minLength = 0): EmbeddedState[] {
  return readLiteralsAfter(text, pattern, minLength).map(({ match, value }) => ({
    name: match[1] ?? '',
    value: typeof value === 'string' ? readJson(value) : value,
  }))
}

/** An incomplete literal may be read to the end of the script, so their total length is bounded by script lengths. */
const maxWastedLengths = 2
const maxFailures = 5000

/** Reads the literals that follow a pattern. Literals inside another one are skipped. */
function readLiteralsAfter(text: string, pattern: RegExp, minLength = 0) {
  const literals: { match: RegExpExecArray; value: unknown }[] = []
  const search = new RegExp(pattern)
  let wastedCharacters = 0
  let failures = 0
  const maxWasted = maxWastedLengths * text.length
  while (literals.length < maxStates && failures < maxFailures && wastedCharacters <= maxWasted) {
    const match = search.exec(text)
    if (!match) break
    const literal = readLiteral(text, search.lastIndex)
    if (!literal.ok) {
      wastedCharacters += literal.end - search.lastIndex
      failures += 1
      continue
    }
    if (literal.end - search.lastIndex >= minLength) literals.push({ match, value: literal.value })
    search.lastIndex = literal.end
  }
  return literals
}

const maxObjects = 4000
const maxValues = 60_000
const maxProperties = 200
const maxStateDepth = 14

export type StateItems = ReturnType<typeof stateItems>

export function stateItems(states: readonly EmbeddedState[]) {
  const items: Reader['items'] = { entities: [], lists: [] }
  const reader: Reader = { items, values: 0, itemBySource: new Map() }
  for (const { name, value } of states) readValue(value, name, reader, 0)
  // Inner items are created first, but readers check the outer ones first.
  items.entities.reverse()
  return items
}

interface Reader {
  items: { entities: StructuredItem[]; lists: StructuredItem[][] }
  values: number
  /** Items by source object. A flat state may contain an object several times. */
  itemBySource: Map<object, StructuredItem>
}

function readValue(value: unknown, name: string, reader: Reader, depth: number): Value[] {
  reader.values += 1
  if (reader.values > maxValues || depth > maxStateDepth) return []
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [value]
  if (Array.isArray(value)) return readList(value, name, reader, depth)
  return typeof value === 'object' && value !== null ? [readObject(value, name, reader, depth)] : []
}

function readList(list: readonly unknown[], name: string, reader: Reader, depth: number): Value[] {
  const values = list.slice(0, maxObjects).flatMap((part) => readValue(part, name, reader, depth + 1))
  const itemValues = values.filter((value) => typeof value === 'object')
  if (itemValues.length > 1 && itemValues.length === list.length) reader.items.lists.push(itemValues)
  return values
}

function readObject(source: object, name: string, reader: Reader, depth: number): StructuredItem {
  const known = reader.itemBySource.get(source)
  if (known) return known
  const kind = '__typename' in source ? source.__typename : undefined
  const item: StructuredItem = { types: [typeof kind === 'string' ? kind : name], properties: new Map() }
  reader.itemBySource.set(source, item)
  let primitiveCount = 0
  for (const [key, value] of Object.entries(source).slice(0, maxProperties)) {
    const values = readValue(value, key, reader, depth + 1)
    if (values.length === 0) continue
    item.properties.set(key, values)
    if (values.some((part) => typeof part !== 'object')) primitiveCount += 1
  }
  if (primitiveCount > 1 && reader.items.entities.length < maxObjects) reader.items.entities.push(item)
  return item
}
