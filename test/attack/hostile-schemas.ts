/** Schemas of acceptable size whose processing cost is much larger than their size suggests. */
export interface HostileSchema {
  what: string
  schema: Record<string, unknown>
}

const text = { type: 'string' }
const last = { type: 'object', properties: { title: text } }
const reference = (name: string) => ({ $ref: `#/$defs/${name}` })
const times = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index))
const named = <Item>(count: number, prefix: string, make: (index: number) => Item) =>
  Object.fromEntries(times(count, (index) => [`${prefix}${index}`, make(index)]))

/** Returns definitions that each refer `width` times to the next one. */
function chain(depth: number, width: number, join: string) {
  const $defs = named(depth, 'd', (index) => ({ [join]: times(width, () => reference(`d${index + 1}`)) }))
  return { ...reference('d0'), $defs: { ...$defs, [`d${depth}`]: last } }
}

/** Returns definitions that each refer to all definitions. */
function everyToEvery(count: number, join: string) {
  const all = times(count, (index) => reference(`d${index}`))
  return { ...reference('d0'), $defs: named(count, 'd', () => ({ [join]: all, ...last })) }
}

function nested(depth: number, wrap: (inner: object) => object): Record<string, unknown> {
  let schema: object = text
  for (let level = 0; level < depth; level += 1) schema = wrap(schema)
  return { type: 'object', properties: { nested: schema } }
}

export const hostileSchemas: HostileSchema[] = [
  ...['allOf', 'anyOf', 'oneOf'].flatMap((join) => [
    { what: `${join}, depth 24, width 20`, schema: chain(24, 20, join) },
    { what: `${join}, depth 16, width 2`, schema: chain(16, 2, join) },
    { what: `${join}, each of 40 definitions refers to all`, schema: everyToEvery(40, join) },
  ]),
  { what: 'a chain of 500 references', schema: chain(500, 1, 'allOf') },
  { what: '4,000 properties', schema: { type: 'object', properties: named(4000, 'p', () => text) } },
  { what: 'allOf of 4,000 parts', schema: { allOf: times(4000, (index) => ({ title: `${index}` })) } },
  {
    what: '900 references to one definition of 900 properties',
    schema: {
      properties: named(900, 'p', () => reference('wide')),
      $defs: { wide: { properties: named(900, 'q', () => text) } },
    },
  },
  {
    what: '900 references to one list of 4,000 choices',
    schema: {
      properties: named(900, 'p', () => reference('choice')),
      $defs: { choice: { enum: times(4000, String) } },
    },
  },
  { what: 'objects in objects', schema: nested(25, (inner) => ({ type: 'object', properties: { inner } })) },
  { what: 'lists in lists', schema: nested(50, (items) => ({ type: 'array', items })) },
  { what: 'a schema of itself', schema: { properties: named(20, 'p', () => ({ $ref: '#' })) } },
  {
    what: 'patterns that take long',
    schema: {
      properties: named(200, 'p', () => ({ ...text, pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' })),
      patternProperties: { '^(a+)+$': text },
    },
  },
]
