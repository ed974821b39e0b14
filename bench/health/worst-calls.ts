import { z } from 'zod'
import { findExceededJsonBound } from '../../src/api/body/read-json.ts'
import type { Endpoint } from '../../src/api/endpoint.ts'
import { tools } from '../../src/api/mcp/tool-list.ts'
import { endpoints, v1Endpoints } from '../../src/bootstrap/server.ts'
import { bounds } from '../../src/platform/bounds.ts'
import { alphabets, textOf } from './hostile-values.ts'
import { type ObjectCases, objectCases, type Setting, type Shape } from './largest-values.ts'
import { createLateRejections } from './refused-late.ts'

/** Call with the largest field values that validation accepts. */
export interface WorstCall {
  method: string
  /** Path with parameters in braces. */
  path: string
  /** Name of the values that are at their bounds. */
  label: string
  body?: unknown
  query?: Record<string, unknown>
  /** True if the body is the `options` field of a form with a file. */
  takesFile?: true
  /** True if the response is a stream without an end. */
  isEndless?: true
}

/** Schema of a route, and a function that turns a value of the schema into a call. */
export interface Source {
  route: string
  schema: z.ZodType
  toCall: (value: Record<string, unknown>) => Omit<WorstCall, 'label'>
}

/** Default of `MAX_REQUEST_MB`, minus a reserve for the fields around a body. */
const maxBytes = 9_900_000
/** Maximum size of the `options` field of a form. */
const maxOptionBytes = 256_000
/** Maximum size of a query string, as part of the request head. */
const maxQueryBytes = 12_000
const browserFields = /^(?:actions|waitFor|mobile|location|profile|headers)$/
/** Minimum size of a field that is measured separately. Smaller fields are part of the calls with all fields. */
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

/** Sources of every route that reads a body or a query string, and of every MCP tool. */
export const sources: Source[] = [...bodySources, ...querySources, ...toolSources]

export function accepts(source: Source, value: unknown): boolean {
  return source.schema.safeParse(value).success && fits(source, value)
}

/** Returns true if the body reader accepts the value and passes it to validation. */
export function fits({ toCall }: Source, value: unknown): boolean {
  const call = toCall(value as Record<string, unknown>)
  const text = Buffer.from(JSON.stringify(call.body ?? call.query ?? {}))
  return text.length <= getMaxBytes(call) && findExceededJsonBound(text) === undefined
}

const getMaxBytes = ({ query, takesFile }: Omit<WorstCall, 'label'>) =>
  query ? maxQueryBytes : takesFile ? maxOptionBytes : maxBytes

/** Returns the worst calls of one route. */
export function callsOf(source: Source, site: string): WorstCall[] {
  const { base, combined, individual, rejected } = valuesOf(source, site)
  const withAllFields: NamedValue[] = [
    ...Object.keys(alphabets).map(
      (alphabet): NamedValue => [alphabet, withAlphabet(combined, alphabet) as Value],
    ),
    // Browser fields are also removed, because many routes reject actions, and a browser takes longer than the rest.
    ['no browser', withoutBrowser(combined) as Value],
  ]
  const isQuery = source.toCall({}).query !== undefined
  const largeFields = individual.filter(
    ({ field, value }) => isQuery || JSON.stringify(value[field]).length >= minBytesAlone,
  )
  const singleFields = [...Map.groupBy(largeFields, ({ field }) => field)].flatMap(([field, values]) =>
    values.map(({ value }, index): NamedValue => [`${field} ${index + 1}`, value]),
  )
  const accepted = withAllFields.filter(([, value]) => accepts(source, value))
  return [
    ...accepted.map(([label, value]): NamedValue => [`all fields, ${label}`, value]),
    ...(isQuery ? [['fewest fields', base] satisfies NamedValue] : []),
    ...singleFields,
    ...rejected.map(([label, value]): NamedValue => [`refused late: ${label}`, value]),
  ].map(([label, value]) => ({ ...source.toCall(value), label }))
}

/** Returns the values of one route: all fields together, each field alone, and values that are rejected late. */
export function valuesOf(source: Source, site: string): ObjectCases & { rejected: NamedValue[] } {
  const shape = z.toJSONSchema(source.schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const setting: Setting = { site, alphabet: firstAlphabet, defs: shape.$defs ?? {} }
  const emptyCall = source.toCall({})
  // A query string repeats the name of a list for each entry.
  const bytes = getMaxBytes(emptyCall) / (emptyCall.query ? 4 : 1)
  const context = {
    setting,
    accepts: (value: unknown) => accepts(source, value),
    fits: (value: unknown) => fits(source, value),
    max: { bytes: bytes - 100, values: bounds.MAX_JSON_VALUES.most - 100 },
  }
  const cases = objectCases(shape, context.accepts, setting)
  return { ...cases, rejected: createLateRejections(shape, cases, context) }
}

type Value = Record<string, unknown>
/** Value with the name of the fields that are at their bounds. */
type NamedValue = [string, Value]

function withoutBrowser(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const remaining = Object.entries(value).filter(([name]) => !browserFields.test(name))
  return Object.fromEntries(remaining.map(([name, inner]) => [name, withoutBrowser(inner)]))
}

const firstAlphabet = 'words'

/** Returns the value with its plain texts in another alphabet. */
function withAlphabet(value: unknown, alphabet: string): unknown {
  if (typeof value === 'string') {
    const isPlain = value.length > 0 && value === textOf(alphabets[firstAlphabet] ?? '', value.length)
    return isPlain ? textOf(alphabets[alphabet] ?? '', value.length) : value
  }
  if (Array.isArray(value)) return value.map((entry) => withAlphabet(entry, alphabet))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, withAlphabet(entry, alphabet)]))
}

/** Returns bodies at the bounds of JSON. All routes parse them in the same way, so one route is enough. */
export function jsonCalls(): WorstCall[] {
  const values = Array.from({ length: bounds.MAX_JSON_VALUES.most - 4 }, () => 1)
  const deep = Array.from({ length: bounds.MAX_JSON_DEPTH.most - 1 }).reduce<unknown>((inner) => [inner], 1)
  const post = (label: string, body: unknown): WorstCall => ({
    method: 'POST',
    path: '/v2/scrape',
    label,
    body,
  })
  return [
    post('most values', { url: values }),
    post('deepest body', { url: deep }),
    post('most unknown fields', Object.fromEntries(values.map((value, index) => [`k${index}`, value]))),
  ]
}
