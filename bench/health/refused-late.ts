import {
  type Accepts,
  largestFirst,
  largestKnown,
  type ObjectCases,
  resolve,
  type Setting,
  type Shape,
} from './largest-values.ts'

type Value = Record<string, unknown>

interface Way {
  setting: Setting
  accepts: Accepts
  fits: Accepts
  /** What the reader of bodies lets through to validation. */
  most: Size
}

/** No list takes it. */
const wrongEntry = [[]]
/** Of the entries of a list, so many kinds are tried. */
const kindsPerList = 3

/**
 * Values that validation refuses, and only when it has read all of them: everything is at its bound, and one rule is broken at the
 * end. Each has a name.
 */
export function refusedLate(shape: Shape, { base, together }: ObjectCases, way: Way): [string, Value][] {
  const last = Object.keys(together).at(-1) ?? ''
  const broken: [string, Value][] = [
    ['an unknown field last', { ...together, unknown: 1 }],
    ['a wrong type last', { ...together, [last]: [wrongEntry] }],
    ['an entry of each list twice', withEntries(together, ([first]) => first) as Value],
    ['a wrong entry last in each list', withEntries(together, () => wrongEntry) as Value],
  ]
  const isRefused = ([, value]: [string, Value]) => way.fits(value) && !way.accepts(value)
  const whole = sizeOf(together)
  // An object that may be a text instead is a text there.
  const lists = listsIn(shape, way.setting).filter(
    ({ path: [name = '', inner] }) => inner === undefined || typeof together[name] !== 'string',
  )
  const long = lists.flatMap((list) => tooLong(list, { base, together, whole }, way))
  return [...broken.filter(isRefused), ...long]
}

/** The same with one entry more in each list. */
function withEntries(value: unknown, more: (list: unknown[]) => unknown): unknown {
  if (Array.isArray(value)) return value.length > 0 ? [...value, more(value)] : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withEntries(inner, more)]))
}

interface FoundList {
  path: string[]
  list: Shape
}

/** The lists of a request, and those of the objects in it. */
function listsIn(given: Shape, setting: Setting, path: string[] = []): FoundList[] {
  return Object.entries(resolve(given, setting).properties ?? {}).flatMap(([name, property]) => {
    const ways = [property, ...(property.anyOf ?? [])].map((way) => resolve(way, setting))
    const list = ways.find(({ items }) => items !== undefined)
    if (list) return [{ path: [...path, name], list }]
    const object = ways.find(({ properties }) => properties !== undefined)
    return object && path.length === 0 ? listsIn(object, setting, [name]) : []
  })
}

/** One entry again and again, each accepted alone: as many as the list may have, and as many as a body may have. */
function tooLong(
  { path, list }: FoundList,
  { base, together, whole }: Pick<ObjectCases, 'base' | 'together'> & { whole: Size },
  { accepts, most, setting }: Way,
): [string, Value][] {
  const name = path.at(-1) ?? ''
  const entries = largestKnown(list.items ?? {}, name, (entry) => accepts(put(base, path, [entry])), setting)
  const kinds = Map.groupBy(largestFirst(entries), kindOf)
  const chosen = [...kinds.values()].map(([largest]) => largest).slice(0, kindsPerList)
  const there = sizeOf(
    path.reduce<unknown>((value, key) => (value as Value | undefined)?.[key], together) ?? [],
  )
  const left = {
    bytes: most.bytes - whole.bytes + there.bytes,
    values: most.values - whole.values + there.values,
  }
  return [...chosen, wrongEntry].flatMap((entry) => {
    const size = sizeOf(entry)
    const fitting = Math.floor(Math.min(left.bytes / size.bytes, left.values / size.values))
    const allowed = Math.min(list.maxItems ?? 100, fitting)
    const counts = new Set(entry === wrongEntry ? [fitting] : [allowed, fitting])
    const listOf = (count: number) => Array.from({ length: count }, () => entry)
    const isRefused = (count: number) => count > allowed || !accepts(put(base, path, listOf(count)))
    return [...counts]
      .filter((count) => count > 1 && isRefused(count))
      .map((count): [string, Value] => [
        `${count} of ${path.join('.')}: ${JSON.stringify(entry).slice(0, 30)}`,
        put(together, path, listOf(count)),
      ])
  })
}

function put(value: Value, [name = '', ...rest]: string[], list: unknown[]): Value {
  return { ...value, [name]: rest.length > 0 ? put((value[name] ?? {}) as Value, rest, list) : list }
}

/** Of a member of a family its type; of a text how it begins. */
function kindOf(entry: unknown): string {
  const type = typeof entry === 'object' && entry !== null && 'type' in entry ? entry.type : entry
  return String(type).slice(0, 4)
}

interface Size {
  bytes: number
  values: number
}

/** With the comma that follows it. */
function sizeOf(value: unknown): Size {
  const text = JSON.stringify(value)
  const signs = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/[[{,]/g)
  return { bytes: Buffer.byteLength(text) + 1, values: (signs?.length ?? 0) + 1 }
}
