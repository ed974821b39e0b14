import { z } from 'zod'
import { findExceededJsonBound } from '../../src/api/body/read-json.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { tools } from '../../src/api/mcp/tool-list.ts'
import { endpoints, v1Endpoints } from '../../src/bootstrap/server.ts'
import { bounds } from '../../src/platform/bounds.ts'
import { alphabets, textOf } from './hostile-values.ts'
import { type ObjectCases, objectCases, type Setting, type Shape } from './largest-values.ts'
import { refusedLate } from './refused-late.ts'

/** A call with as much in its fields as validation lets through. */
export interface WorstCall {
  method: string
  /** With its parameters in braces. */
  path: string
  /** What is at its bound. */
  what: string
  body?: unknown
  query?: Record<string, unknown>
  /** The body is the options of a form with a file. */
  takesFile?: true
  /** Its answer is a stream that does not end by itself. */
  isEndless?: true
}

/** What one route is made from: its schema, and how a value of it becomes a call. */
export interface Source {
  route: string
  schema: z.ZodType
  toCall: (value: Record<string, unknown>) => Omit<WorstCall, 'what'>
}

/** `MAX_REQUEST_MB` as it is by default, less what is around a body. */
const maxBytes = 9_900_000
/** A form's options are one field of it. */
const maxOptionBytes = 256_000
/** Part of the length of a head. */
const maxQueryBytes = 12_000
const browserFields = /^(?:actions|waitFor|mobile|location|profile|headers)$/
/** Fields of few bytes cost nothing by themselves; they are in the calls with everything. */
const minBytesAlone = 500

const bodySources: Source[] = [...endpoints, ...v1Endpoints].flatMap((endpoint) => {
  const { method, path, body, takesFile } = endpoint as Endpoint
  if (!body) return []
  return [
    {
      route: `${method} ${path}`,
      schema: body,
      toCall: (value) => ({ method, path, body: value, ...(takesFile ? { takesFile } : {}) }),
    },
  ]
})

const querySources: Source[] = [...endpoints, ...v1Endpoints].flatMap(({ method, path, query }) =>
  query
    ? [{ route: `${method} ${path}`, schema: query, toCall: (value) => ({ method, path, query: value }) }]
    : [],
)

const toolSources: Source[] = tools.map(({ name, input }) => ({
  route: `POST /mcp ${name}`,
  schema: input,
  toCall: (value) => ({
    method: 'POST',
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: value } },
  }),
}))

/** Every route that reads something from a caller, and every tool for language models. */
export const sources: Source[] = [...bodySources, ...querySources, ...toolSources]

export function accepts(source: Source, value: unknown): boolean {
  return source.schema.safeParse(value).success && fits(source, value)
}

/** Whether the reader of bodies lets it through to validation. */
export function fits({ toCall }: Source, value: unknown): boolean {
  const call = toCall(value as Record<string, unknown>)
  const text = Buffer.from(JSON.stringify(call.body ?? call.query ?? {}))
  return text.length <= maxBytesOf(call) && findExceededJsonBound(text) === undefined
}

const maxBytesOf = ({ query, takesFile }: Omit<WorstCall, 'what'>) =>
  query ? maxQueryBytes : takesFile ? maxOptionBytes : maxBytes

/** What is found for one route, as the calls with it. */
export function callsOf(source: Source, site: string): WorstCall[] {
  const { base, together, alone, refused } = valuesOf(source, site)
  const all: Named[] = [
    ...Object.keys(alphabets).map((alphabet): Named => [alphabet, rewritten(together, alphabet) as Value]),
    // Many routes refuse actions, and a browser takes longer than anything else: the same without them.
    ['no browser', withoutBrowser(together) as Value],
  ]
  const isQuery = source.toCall({}).query !== undefined
  const large = alone.filter(
    ({ field, value }) => isQuery || JSON.stringify(value[field]).length >= minBytesAlone,
  )
  const each = [...Map.groupBy(large, ({ field }) => field)].flatMap(([field, values]) =>
    values.map(({ value }, index): Named => [`${field} ${index + 1}`, value]),
  )
  const accepted = all.filter(([, value]) => accepts(source, value))
  return [
    ...accepted.map(([what, value]): Named => [`all fields, ${what}`, value]),
    ...(isQuery ? [['fewest fields', base] satisfies Named] : []),
    ...each,
    ...refused.map(([what, value]): Named => [`refused late: ${what}`, value]),
  ].map(([what, value]) => ({ ...source.toCall(value), what }))
}

/** For one route: every field together, each field alone, and what is refused only at its end. */
export function valuesOf(source: Source, site: string): ObjectCases & { refused: Named[] } {
  const shape = z.toJSONSchema(source.schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const setting: Setting = { site, alphabet: firstAlphabet, defs: shape.$defs ?? {} }
  const empty = source.toCall({})
  // An address repeats the name of a list with each of its entries.
  const bytes = maxBytesOf(empty) / (empty.query ? 4 : 1)
  const way = {
    setting,
    accepts: (value: unknown) => accepts(source, value),
    fits: (value: unknown) => fits(source, value),
    most: { bytes: bytes - 100, values: bounds.MAX_JSON_VALUES.most - 100 },
  }
  const cases = objectCases(shape, way.accepts, setting)
  return { ...cases, refused: refusedLate(shape, cases, way) }
}

type Value = Record<string, unknown>
/** By what is at its bound. */
type Named = [string, Value]

function withoutBrowser(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const kept = Object.entries(value).filter(([name]) => !browserFields.test(name))
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutBrowser(inner)]))
}

const firstAlphabet = 'words'

/** The same value with its texts in another alphabet, where they are plain text. */
function rewritten(value: unknown, alphabet: string): unknown {
  if (typeof value === 'string') {
    const isPlain = value.length > 0 && value === textOf(alphabets[firstAlphabet] ?? '', value.length)
    return isPlain ? textOf(alphabets[alphabet] ?? '', value.length) : value
  }
  if (Array.isArray(value)) return value.map((entry) => rewritten(entry, alphabet))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, rewritten(entry, alphabet)]))
}

/** Bodies that reach the bounds of JSON itself; every route refuses or answers them after the same reading. */
export function jsonCalls(): WorstCall[] {
  const values = Array.from({ length: bounds.MAX_JSON_VALUES.most - 4 }, () => 1)
  const deep = Array.from({ length: bounds.MAX_JSON_DEPTH.most - 1 }).reduce<unknown>((inner) => [inner], 1)
  const post = (what: string, body: unknown): WorstCall => ({
    method: 'POST',
    path: '/v2/scrape',
    what,
    body,
  })
  return [
    post('most values', { url: values }),
    post('deepest body', { url: deep }),
    post('most unknown fields', Object.fromEntries(values.map((one, index) => [`k${index}`, one]))),
  ]
}
