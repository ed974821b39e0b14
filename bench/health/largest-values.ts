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

/** Subset of JSON Schema that request schemas use. */
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
  /** URL of the site whose pages the calls request. */
  site: string
  alphabet: string
  /** Definitions to which `$ref` refers. */
  defs: Record<string, Shape>
}

/** Returns true if a request with this value in the current field passes validation. */
export type Accepts = (value: unknown) => boolean

/** Fields that only make a call wait or end; their minimum is used. */
const waitingFields = /^(?:timeout|waitFor|delay|milliseconds|ttl|activityTtl|waitSeconds|wait)$/
/** Fields that let a call be rejected or served without work. They are measured separately. */
const endingFields =
  /(?:Id|^before|^cursor|^minAge|^lockdown|^zeroDataRetention|^enterprise|^exchange|^filter|^asyncScraping)$/
const nestedVariants = 8
/** Maximum size of a list; larger lists exceed the size of a request and are not tried. */
const maxListBytes = 9_000_000
/** Cached values by schema of a field, because most routes share fields, and finding values takes a hundred trials. */
const valuesBySchema = new Map<string, unknown[]>()

/** Returns the cached values of another route if this one accepts all of them; otherwise searches for values. */
export function findLargestValues(shape: Shape, name: string, accepts: Accepts, setting: Setting): unknown[] {
  const { description: _, default: __, ...rest } = resolve(shape, setting) as Shape & Record<string, unknown>
  const key = JSON.stringify([name, setting.site, rest])
  const cachedValues = valuesBySchema.get(key)
  if (cachedValues && cachedValues.length > 0 && cachedValues.every(accepts)) return cachedValues
  const values = findLargest(shape, name, accepts, setting)
  valuesBySchema.set(key, values)
  return values
}

/** Returns the largest accepted values of a schema, of several kinds. */
function findLargest(shape: Shape, name: string, accepts: Accepts, setting: Setting): unknown[] {
  const resolved = resolve(shape, setting)
  const alternatives = resolved.anyOf ?? resolved.oneOf
  if (alternatives)
    return alternatives.flatMap((alternative) => findLargest(alternative, name, accepts, setting))
  if (resolved.const !== undefined) return [resolved.const].filter(accepts)
  if (resolved.enum) return resolved.enum.filter(accepts)
  const bytes = resolved['x-max-bytes']
  if (bytes !== undefined && !resolved.properties) {
    const makers = name === 'schema' ? schemas : anyObjects
    return makers.map((make) => findLongest(make, bytes, 0, accepts)).filter((value) => value !== undefined)
  }
  if (resolved.properties) return largestObjects(resolved, accepts, setting)
  const type = Array.isArray(resolved.type) ? resolved.type[0] : resolved.type
  if (type === 'boolean') return [true, false].filter(accepts)
  if (type === 'number' || type === 'integer') return createNumbers(resolved, name).filter(accepts)
  if (type === 'string') return createTexts(resolved, name, accepts, setting)
  if (type === 'array') return createLists(resolved, name, accepts, setting)
  if (type === 'object') return createRecords(resolved, accepts, setting)
  return []
}

export function resolve(shape: Shape, { defs }: Setting): Shape {
  const name = shape.$ref?.replace('#/$defs/', '')
  if (name === undefined) return shape
  const { $ref: _, ...rest } = shape
  return { ...defs[name], ...rest }
}

function createNumbers({ minimum, exclusiveMinimum, maximum }: Shape, name: string): number[] {
  const minValue = minimum ?? (exclusiveMinimum === undefined ? 0 : exclusiveMinimum + 1)
  const maxValue = maximum ?? 1_000_000_000
  // A call that waits for a minute or times out after a second measures nothing; 30 seconds avoid both.
  if (name === 'timeout') return [Math.min(maxValue, maxValue >= 30_000 ? 30_000 : 30)]
  return waitingFields.test(name) ? [minValue] : [maxValue, minValue]
}

function getMakers(shape: Shape, name: string, { site, alphabet }: Setting): Make[] {
  if (/selector$|Tags$/.test(name)) return selectors
  if (/Paths$/.test(name)) return patterns
  if (/url$|urls$|^webhook$/i.test(name)) return urls(site)
  if (shape.pattern !== undefined || (shape.maxLength ?? 0) <= 300)
    return [shapedPlaceholder, plainText(alphabet)]
  return [plainText(alphabet)]
}

const plainText =
  (alphabet: string): Make =>
  (length) =>
    textOf(alphabets[alphabet] ?? 'a', length)

/** Placeholder for the texts of `shapedTexts` that a field accepts. */
const shapedPlaceholder: Make = () => ''

function createTexts(shape: Shape, name: string, isAccepted: Accepts, setting: Setting): unknown[] {
  const pattern = shape.pattern === undefined ? /^/ : new RegExp(shape.pattern, 'iu')
  const accepts = (text: unknown) => pattern.test(String(text)) && isAccepted(text)
  const maxLength = shape.maxLength ?? 10_000
  const candidates = getMakers(shape, name, setting).flatMap((make) =>
    make === shapedPlaceholder
      ? (shapedTexts.filter((text) => text.length <= maxLength && accepts(text)).toSorted(byLength)[0] ?? [])
      : (findLongest(make, maxLength, 0, accepts) ?? []),
  )
  return candidates.toSorted(byLength)
}

/** Returns the longest accepted value; in most fields its length is the bound. */
function findLongest(make: Make, maxLength: number, index: number, accepts: Accepts): unknown {
  const longest = make(maxLength, index)
  if (accepts(longest)) return longest
  const length = findGreatest(maxLength, (size) => accepts(make(size, index)))
  return length === 0 ? undefined : make(length, index)
}

/** Returns the greatest accepted number up to the maximum, by binary search; 0 if none is accepted. */
function findGreatest(max: number, isAccepted: (count: number) => boolean): number {
  let low = 0
  let high = max
  if (isAccepted(max)) return max
  while (low < high) {
    const center = Math.ceil((low + high) / 2)
    if (isAccepted(center)) low = center
    else high = center - 1
  }
  return low
}

function createLists(shape: Shape, name: string, accepts: Accepts, setting: Setting): unknown[] {
  const items = resolve(shape.items ?? {}, setting)
  const maxItems = shape.maxItems ?? 100
  if (items.type === 'string' && !items.enum) return createTextLists(items, name, maxItems, accepts, setting)
  // The largest entries come first, because validation may reject a smaller entry next to them.
  const entries = largestFirst(findLargest(items, name, (entry) => accepts([entry]), setting))
  const [first] = entries
  const repeatFirst = (count: number) => Array.from({ length: count }, () => first)
  const fitting = Math.min(maxItems, Math.floor(maxListBytes / (JSON.stringify(first)?.length ?? 1)))
  const repeated = repeatFirst(
    first === undefined ? 0 : findGreatest(fitting, (count) => accepts(repeatFirst(count))),
  )
  const mixed: unknown[] = []
  for (const entry of entries) if (mixed.length < maxItems && accepts([...mixed, entry])) mixed.push(entry)
  while (mixed.length > 0 && mixed.length < maxItems && accepts([...mixed, mixed[mixed.length - 1]]))
    mixed.push(mixed[mixed.length - 1])
  return [mixed, repeated].filter((list) => list.length > 0)
}

/** Returns the maximum number of entries of full length, and the full number of entries of the maximum length. */
function createTextLists(
  items: Shape,
  name: string,
  maxItems: number,
  accepts: Accepts,
  setting: Setting,
): unknown[] {
  const shapes = shapedTexts.filter((text) => accepts([text])).toSorted(byLength)
  const makeShaped: Make = (_, index) => shapes[index % shapes.length]
  return getMakers(items, name, setting).flatMap((maker) => {
    if (maker === shapedPlaceholder && shapes.length === 0) return []
    const make = maker === shapedPlaceholder ? makeShaped : maker
    const list = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => make(length, index))
    const maxLength = items.maxLength ?? 200
    const length = findGreatest(maxLength, (size) => accepts(list(1, size)))
    if (length === 0) return []
    const sizeLimit = Math.min(maxItems, Math.floor(maxListBytes / length))
    const fittingCount = findGreatest(sizeLimit, (count) => accepts(list(count, length)))
    if (fittingCount === maxItems) return [list(maxItems, length)]
    const perEntry = Math.min(length, Math.floor(maxListBytes / maxItems))
    const fittingLength = findGreatest(perEntry, (size) => accepts(list(maxItems, size)))
    return [list(fittingCount, length), ...(fittingLength > 0 ? [list(maxItems, fittingLength)] : [])]
  })
}

/**
 * Returns records with the maximum number of entries, and with entries of maximum length, for fields such as `headers`.
 */
function createRecords(shape: Shape, accepts: Accepts, _setting: Setting): unknown[] {
  const maxEntries = shape.maxProperties ?? 100
  const nameLength = shape.propertyNames?.maxLength ?? 20
  const values = typeof shape.additionalProperties === 'object' ? shape.additionalProperties : {}
  const record = (count: number, width: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}-`.padEnd(width, 'a'), value]))
  const manyEntries = record(maxEntries, 20, 'b')
  const createWide = (width: number) => record(1, width, 'b')
  const longValue = 'b'.repeat(values.maxLength ?? 20)
  const fittingCount = findGreatest(maxEntries, (count) => accepts(record(count, 20, longValue)))
  const fittingWidth = findGreatest(nameLength, (width) => accepts(createWide(Math.max(6, width))))
  return [manyEntries, record(fittingCount, 20, longValue), createWide(fittingWidth)].filter(accepts)
}

/** Returns an object with all fields that are accepted together, then objects with one additional field each. */
function largestObjects(shape: Shape, accepts: Accepts, setting: Setting): unknown[] {
  const { combined, individual } = objectCases(shape, accepts, setting)
  return [combined, ...individual.map(({ value }) => value).slice(0, nestedVariants)]
}

export interface ObjectCases {
  /** Required fields. */
  base: Record<string, unknown>
  /** All fields that are accepted together. */
  combined: Record<string, unknown>
  /** Required fields and one additional field, with its name. */
  individual: { field: string; value: Record<string, unknown> }[]
}

export function objectCases(unresolved: Shape, accepts: Accepts, setting: Setting): ObjectCases {
  const shape = resolve(unresolved, setting)
  const properties = Object.entries(shape.properties ?? {})
  const isRequired = (name: string) => shape.required?.includes(name) ?? false
  const base = findRequiredFields(shape, accepts, setting)
  const combined = { ...base }
  const individual: ObjectCases['individual'] = []
  const valuesByField = properties.map(([name, property]) => ({
    name,
    values: findLargestValues(property, name, (value) => accepts({ ...base, [name]: value }), setting),
  }))
  for (const { name, values } of valuesByField)
    for (const value of values) individual.push({ field: name, value: { ...base, [name]: value } })
  // The largest fields are added last, because each further field requires another validation of the object.
  for (const { name, values } of largestFirst(valuesByField, ({ values: [first] }) => first).reverse()) {
    if (!isRequired(name) && endingFields.test(name)) continue
    const fitting = values.find((value) => accepts({ ...combined, [name]: value }))
    if (fitting !== undefined) combined[name] = fitting
  }
  return { base, combined, individual }
}

/** Returns the required fields of a request. If these alone are rejected, adds one or two optional fields. */
function findRequiredFields(shape: Shape, accepts: Accepts, setting: Setting): Record<string, unknown> {
  const requiredNames = shape.required ?? []
  const findShortValues = (name: string) =>
    findLargest({ ...shape.properties?.[name], maxItems: 1 }, name, isShort, setting).slice(0, 12)
  let candidates: Record<string, unknown>[] = [{}]
  for (const name of requiredNames)
    candidates = candidates
      .flatMap((base) => findShortValues(name).map((value) => ({ ...base, [name]: value })))
      .slice(0, 200)
  const accepted = candidates.find(accepts)
  if (accepted) return accepted
  const others = Object.keys(shape.properties ?? {})
    .filter((name) => !requiredNames.includes(name))
    .flatMap((name) =>
      findShortValues(name)
        .slice(0, 2)
        .map((value) => ({ [name]: value })),
    )
  const pairs = others.flatMap((left) => others.map((right) => ({ ...left, ...right })))
  const more = [...others, ...pairs].find((fields) => accepts({ ...candidates[0], ...fields }))
  return { ...candidates[0], ...more }
}

const isShort = (value: unknown) => JSON.stringify(value).length < 200_000

/** Sorts items by their length as JSON, which is computed once per item. */
export function largestFirst<Item>(
  items: Item[],
  getValue: (item: Item) => unknown = (item) => item,
): Item[] {
  const sized = items.map((item) => ({ item, size: JSON.stringify(getValue(item) ?? 0).length }))
  return sized.toSorted((left, right) => right.size - left.size).map(({ item }) => item)
}

const byLength = (left: unknown, right: unknown) => String(right).length - String(left).length
