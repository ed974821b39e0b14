import {
  alphabets,
  anyObjects,
  type Make,
  patterns,
  schemas,
  selectors,
  shapedTexts,
  textOf,
  urls,
} from './hostile-values.ts'

/** The part of JSON Schema that descriptions of requests use. */
export interface Shape {
  $ref?: string
  $defs?: Record<string, Shape>
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  maxItems?: number
  maxLength?: number
  minLength?: number
  maximum?: number
  minimum?: number
  exclusiveMinimum?: number
  pattern?: string
  maxProperties?: number
  propertyNames?: Shape
  additionalProperties?: Shape | boolean
  'x-max-bytes'?: number
}

export interface Setting {
  /** Address of the site whose pages the calls name. */
  site: string
  alphabet: string
  /** The definitions that `$ref` names. */
  defs: Record<string, Shape>
}

/** Whether a request with this value, in the place that is being filled, passes validation. */
export type Accepts = (value: unknown) => boolean

/** Fields that only make a call wait or end: the least of them. */
const waits = /^(?:timeout|waitFor|delay|milliseconds|ttl|activityTtl|waitSeconds|wait)$/
/** Fields by which a call is refused or served without work. They are measured alone. */
const endsEarly =
  /(?:Id|^before|^cursor|^minAge|^lockdown|^zeroDataRetention|^enterprise|^exchange|^filter|^asyncScraping)$/
const nestedVariants = 8
/** More than a request may have; lists beyond it are not tried. */
const maxListBytes = 9_000_000
/** Values of each kind of field, by what describes it: most routes share theirs, and finding them takes a hundred trials. */
const known = new Map<string, unknown[]>()

/** Those that were found for another route, if this one accepts them all too; else they are looked for. */
export function largestKnown(shape: Shape, name: string, accepts: Accepts, setting: Setting): unknown[] {
  const { description: _, default: __, ...rest } = resolve(shape, setting) as Shape & Record<string, unknown>
  const key = JSON.stringify([name, setting.site, rest])
  const found = known.get(key)
  if (found && found.length > 0 && found.every(accepts)) return found
  const values = largest(shape, name, accepts, setting)
  known.set(key, values)
  return values
}

/** The largest values of a schema, of several kinds, all of them accepted. */
function largest(shape: Shape, name: string, accepts: Accepts, setting: Setting): unknown[] {
  const found = resolve(shape, setting)
  const ways = found.anyOf ?? found.oneOf
  if (ways) return ways.flatMap((way) => largest(way, name, accepts, setting))
  if (found.const !== undefined) return [found.const].filter(accepts)
  if (found.enum) return found.enum.filter(accepts)
  const bytes = found['x-max-bytes']
  if (bytes !== undefined && !found.properties) {
    const makes = name === 'schema' ? schemas : anyObjects
    return makes.map((make) => largestOf(make, bytes, 0, accepts)).filter((one) => one !== undefined)
  }
  if (found.properties) return largestObjects(found, accepts, setting)
  const type = Array.isArray(found.type) ? found.type[0] : found.type
  if (type === 'boolean') return [true, false].filter(accepts)
  if (type === 'number' || type === 'integer') return numbers(found, name).filter(accepts)
  if (type === 'string') return texts(found, name, accepts, setting)
  if (type === 'array') return lists(found, name, accepts, setting)
  if (type === 'object') return records(found, accepts, setting)
  return []
}

export function resolve(shape: Shape, { defs }: Setting): Shape {
  const name = shape.$ref?.replace('#/$defs/', '')
  if (name === undefined) return shape
  const { $ref: _, ...rest } = shape
  return { ...defs[name], ...rest }
}

function numbers({ minimum, exclusiveMinimum, maximum }: Shape, name: string): number[] {
  const least = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1)
  const most = maximum ?? 1_000_000_000
  // A call that waits for a minute, or gives up after a second, shows nothing; thirty seconds are enough for both.
  if (name === 'timeout') return [Math.min(most, most >= 30_000 ? 30_000 : 30)]
  return waits.test(name) ? [least] : [most, least]
}

function makesFor(shape: Shape, name: string, { site, alphabet }: Setting): Make[] {
  if (/selector$|Tags$/.test(name)) return selectors
  if (/Paths$/.test(name)) return patterns
  if (/url$|urls$|^webhook$/i.test(name)) return urls(site)
  if (shape.pattern !== undefined || (shape.maxLength ?? 0) <= 300) return [shaped, plainText(alphabet)]
  return [plainText(alphabet)]
}

const plainText =
  (alphabet: string): Make =>
  (length) =>
    textOf(alphabets[alphabet] ?? 'a', length)

/** Stands for the texts of `shapedTexts` that a field accepts. */
const shaped: Make = () => ''

function texts(shape: Shape, name: string, isAccepted: Accepts, setting: Setting): unknown[] {
  const pattern = shape.pattern === undefined ? /^/ : new RegExp(shape.pattern, 'iu')
  const accepts = (text: unknown) => pattern.test(String(text)) && isAccepted(text)
  const most = shape.maxLength ?? 10_000
  const made = makesFor(shape, name, setting).flatMap((make) =>
    make === shaped
      ? (shapedTexts.filter((text) => text.length <= most && accepts(text)).toSorted(byLength)[0] ?? [])
      : (largestOf(make, most, 0, accepts) ?? []),
  )
  return made.toSorted(byLength)
}

/** The value of the greatest length that is accepted; the bound itself in most fields. */
function largestOf(make: Make, most: number, index: number, accepts: Accepts): unknown {
  const whole = make(most, index)
  if (accepts(whole)) return whole
  const length = greatest(most, (size) => accepts(make(size, index)))
  return length === 0 ? undefined : make(length, index)
}

/** The greatest number up to `most` that is accepted, where smaller ones are accepted too; 0 if none is. */
function greatest(most: number, isAccepted: (count: number) => boolean): number {
  let low = 0
  let high = most
  if (isAccepted(most)) return most
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isAccepted(middle)) low = middle
    else high = middle - 1
  }
  return low
}

function lists(shape: Shape, name: string, accepts: Accepts, setting: Setting): unknown[] {
  const items = resolve(shape.items ?? {}, setting)
  const most = shape.maxItems ?? 100
  if (items.type === 'string' && !items.enum) return textLists(items, name, most, accepts, setting)
  // The largest come first: those that follow may be refused beside them.
  const entries = largestFirst(largest(items, name, (entry) => accepts([entry]), setting))
  const [first] = entries
  const times = (count: number) => Array.from({ length: count }, () => first)
  const fitting = Math.min(most, Math.floor(maxListBytes / (JSON.stringify(first)?.length ?? 1)))
  const repeated = times(first === undefined ? 0 : greatest(fitting, (count) => accepts(times(count))))
  const mixed: unknown[] = []
  for (const entry of entries) if (mixed.length < most && accepts([...mixed, entry])) mixed.push(entry)
  while (mixed.length > 0 && mixed.length < most && accepts([...mixed, mixed[mixed.length - 1]]))
    mixed.push(mixed[mixed.length - 1])
  return [mixed, repeated].filter((list) => list.length > 0)
}

/** As many entries as fit at their full length, and the full number of entries at the length that fits. */
function textLists(items: Shape, name: string, most: number, accepts: Accepts, setting: Setting): unknown[] {
  const shapes = shapedTexts.filter((text) => accepts([text])).toSorted(byLength)
  const shapedHere: Make = (_, index) => shapes[index % shapes.length]
  return makesFor(items, name, setting).flatMap((given) => {
    if (given === shaped && shapes.length === 0) return []
    const make = given === shaped ? shapedHere : given
    const list = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => make(length, index))
    const longest = items.maxLength ?? 200
    const length = greatest(longest, (size) => accepts(list(1, size)))
    if (length === 0) return []
    const whole = Math.min(most, Math.floor(maxListBytes / length))
    const few = greatest(whole, (count) => accepts(list(count, length)))
    if (few === most) return [list(most, length)]
    const perEntry = Math.min(length, Math.floor(maxListBytes / most))
    const short = greatest(perEntry, (size) => accepts(list(most, size)))
    return [list(few, length), ...(short > 0 ? [list(most, short)] : [])]
  })
}

/** Headers: as many as may be, and as long as may be. */
function records(shape: Shape, accepts: Accepts, _setting: Setting): unknown[] {
  const most = shape.maxProperties ?? 100
  const nameLength = shape.propertyNames?.maxLength ?? 20
  const values = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : {}
  const record = (count: number, width: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}-`.padEnd(width, 'a'), value]))
  const many = record(most, 20, 'b')
  const wide = (width: number) => record(1, width, 'b')
  const long = 'b'.repeat(values.maxLength ?? 20)
  const few = greatest(most, (count) => accepts(record(count, 20, long)))
  const named = greatest(nameLength, (width) => accepts(wide(Math.max(6, width))))
  return [many, record(few, 20, long), wide(named)].filter(accepts)
}

/**
 * Everything together that is accepted together, then everything without what needs a browser; inside a list, also each field
 * that did not fit with the others.
 */
function largestObjects(shape: Shape, accepts: Accepts, setting: Setting): unknown[] {
  const { together, alone } = objectCases(shape, accepts, setting)
  return [together, ...alone.map(({ value }) => value).slice(0, nestedVariants)]
}

export interface ObjectCases {
  /** The needed fields. */
  base: Record<string, unknown>
  together: Record<string, unknown>
  /** The needed fields and one more, by its name. */
  alone: { field: string; value: Record<string, unknown> }[]
}

export function objectCases(given: Shape, accepts: Accepts, setting: Setting): ObjectCases {
  const shape = resolve(given, setting)
  const properties = Object.entries(shape.properties ?? {})
  const isNeeded = (name: string) => shape.required?.includes(name) ?? false
  const base = neededFields(shape, accepts, setting)
  const together = { ...base }
  const alone: ObjectCases['alone'] = []
  const found = properties.map(([name, property]) => ({
    name,
    values: largestKnown(property, name, (value) => accepts({ ...base, [name]: value }), setting),
  }))
  for (const { name, values } of found)
    for (const value of values) alone.push({ field: name, value: { ...base, [name]: value } })
  // The largest come last, because they are read again with every field that is added after them.
  for (const { name, values } of largestFirst(found, ({ values: [first] }) => first).reverse()) {
    if (!isNeeded(name) && endsEarly.test(name)) continue
    const fitting = values.find((value) => accepts({ ...together, [name]: value }))
    if (fitting !== undefined) together[name] = fitting
  }
  return { base, together, alone }
}

/** The fewest fields that make a request: those that it has to have, and one or two more where it needs one of several. */
function neededFields(shape: Shape, accepts: Accepts, setting: Setting): Record<string, unknown> {
  const needed = shape.required ?? []
  const short = (name: string) =>
    largest({ ...shape.properties?.[name], maxItems: 1 }, name, isShort, setting).slice(0, 12)
  let found: Record<string, unknown>[] = [{}]
  for (const name of needed)
    found = found.flatMap((base) => short(name).map((value) => ({ ...base, [name]: value }))).slice(0, 200)
  const accepted = found.find(accepts)
  if (accepted) return accepted
  const others = Object.keys(shape.properties ?? {})
    .filter((name) => !needed.includes(name))
    .flatMap((name) =>
      short(name)
        .slice(0, 2)
        .map((value) => ({ [name]: value })),
    )
  const pairs = others.flatMap((one) => others.map((other) => ({ ...one, ...other })))
  const more = [...others, ...pairs].find((fields) => accepts({ ...found[0], ...fields }))
  return { ...found[0], ...more }
}

const isShort = (value: unknown) => JSON.stringify(value).length < 200_000

/** By their length as JSON, which is written once for each. */
export function largestFirst<Item>(
  items: Item[],
  measured: (item: Item) => unknown = (item) => item,
): Item[] {
  const sized = items.map((item) => ({ item, size: JSON.stringify(measured(item) ?? 0).length }))
  return sized.toSorted((left, right) => right.size - left.size).map(({ item }) => item)
}

const byLength = (left: unknown, right: unknown) => String(right).length - String(left).length
