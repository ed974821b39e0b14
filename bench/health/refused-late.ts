import {
  type Accepts,
  findLargestValues,
  largestFirst,
  type ObjectCases,
  resolve,
  type Setting,
  type Shape,
} from './largest-values.ts'

type Value = Record<string, unknown>

interface Context {
  setting: Setting
  accepts: Accepts
  fits: Accepts
  /** Maximum size that the body reader accepts. */
  max: Size
}

/** Entry that no list accepts. */
const wrongEntry = [[]]
/** Maximum number of kinds of entries that are tried per list. */
const kindsPerList = 3

/**
 * Returns named values that validation rejects only after it has read all of them: everything is at its bound, and the
 * end violates one rule.
 */
export function createLateRejections(
  shape: Shape,
  { base, combined }: ObjectCases,
  context: Context,
): [string, Value][] {
  const lastField = Object.keys(combined).at(-1) ?? ''
  const invalidValues: [string, Value][] = [
    ['an unknown field last', { ...combined, unknown: 1 }],
    ['a wrong type last', { ...combined, [lastField]: [wrongEntry] }],
    ['an entry of each list twice', withEntries(combined, ([first]) => first) as Value],
    ['a wrong entry last in each list', withEntries(combined, () => wrongEntry) as Value],
  ]
  const isRejected = ([, value]: [string, Value]) => context.fits(value) && !context.accepts(value)
  const totalSize = getSize(combined)
  // If a field accepts an object or a text, `combined` contains a text.
  const lists = findLists(shape, context.setting).filter(
    ({ path: [name = '', inner] }) => inner === undefined || typeof combined[name] !== 'string',
  )
  const tooLongValues = lists.flatMap((list) => createTooLong(list, { base, combined, totalSize }, context))
  return [...invalidValues.filter(isRejected), ...tooLongValues]
}

/** Returns the value with one more entry in each list. */
function withEntries(value: unknown, createEntry: (list: unknown[]) => unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [...value, createEntry(value)] : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withEntries(inner, createEntry)]),
  )
}

interface FoundList {
  path: string[]
  list: Shape
}

/** Returns the lists of a request and of its objects. */
function findLists(unresolved: Shape, setting: Setting, path: string[] = []): FoundList[] {
  return Object.entries(resolve(unresolved, setting).properties ?? {}).flatMap(([name, property]) => {
    const alternatives = [property, ...(property.anyOf ?? [])].map((alternative) =>
      resolve(alternative, setting),
    )
    const list = alternatives.find(({ items }) => items !== undefined)
    if (list) return [{ path: [...path, name], list }]
    const object = alternatives.find(({ properties }) => properties !== undefined)
    return object && path.length === 0 ? findLists(object, setting, [name]) : []
  })
}

/**
 * Repeats entries that are accepted alone: up to the maximum length of the list, and up to the maximum size of a body.
 */
function createTooLong(
  { path, list }: FoundList,
  { base, combined, totalSize }: Pick<ObjectCases, 'base' | 'combined'> & { totalSize: Size },
  { accepts, max, setting }: Context,
): [string, Value][] {
  const name = path.at(-1) ?? ''
  const entries = findLargestValues(
    list.items ?? {},
    name,
    (entry) => accepts(setList(base, path, [entry])),
    setting,
  )
  const kinds = Map.groupBy(largestFirst(entries), getKind)
  const selectedEntries = [...kinds.values()].map(([largest]) => largest).slice(0, kindsPerList)
  const listSize = getSize(
    path.reduce<unknown>((value, key) => (value as Value | undefined)?.[key], combined) ?? [],
  )
  const remaining = {
    bytes: max.bytes - totalSize.bytes + listSize.bytes,
    values: max.values - totalSize.values + listSize.values,
  }
  return [...selectedEntries, wrongEntry].flatMap((entry) => {
    const size = getSize(entry)
    const fitting = Math.floor(Math.min(remaining.bytes / size.bytes, remaining.values / size.values))
    const allowed = Math.min(list.maxItems ?? 100, fitting)
    const counts = new Set(entry === wrongEntry ? [fitting] : [allowed, fitting])
    const repeatEntry = (count: number) => Array.from({ length: count }, () => entry)
    const isRejected = (count: number) => count > allowed || !accepts(setList(base, path, repeatEntry(count)))
    return [...counts]
      .filter((count) => count > 1 && isRejected(count))
      .map((count): [string, Value] => [
        `${count} of ${path.join('.')}: ${JSON.stringify(entry).slice(0, 30)}`,
        setList(combined, path, repeatEntry(count)),
      ])
  })
}

function setList(value: Value, [name = '', ...rest]: string[], list: unknown[]): Value {
  return { ...value, [name]: rest.length > 0 ? setList((value[name] ?? {}) as Value, rest, list) : list }
}

/** Returns the start of the type of an object, or the start of a text. */
function getKind(entry: unknown): string {
  const type = typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : entry
  return String(type).slice(0, 4)
}

interface Size {
  bytes: number
  values: number
}

/** Returns the size of a value, including the following comma. */
function getSize(value: unknown): Size {
  const text = JSON.stringify(value)
  const separators = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[[{,]/g)
  return { bytes: Buffer.byteLength(text) + 1, values: (separators?.length ?? 0) + 1 }
}
