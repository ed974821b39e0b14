import { z } from 'zod'
import { bounds } from '../../src/base/bounds.ts'
import { endpoints, v1Endpoints } from '../../src/compose/server.ts'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { beyondJsonBounds } from '../../src/http/read-json.ts'
import { tools } from '../../src/mcp/tool-list.ts'
import { alphabets, textOf } from './hostile-values.ts'
import { objectCases, type Setting, type Shape } from './largest-values.ts'

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
}

/** What one route is made from: its schema, and how a value of it becomes a call. */
export interface Source {
  route: string
  schema: z.ZodType
  toCall: (value: Record<string, unknown>) => Omit<WorstCall, 'what'>
}

/** `MAX_REQUEST_MB` as it is by default, less what is around a body. */
const mostBytes = 9_900_000
/** A form's options are one field of it. */
const mostOptionBytes = 256_000
/** Part of the length of a head. */
const mostQueryBytes = 12_000
const browserFields = /^(?:actions|waitFor|mobile|location|profile|headers)$/
const needsBrowser = /"(?:actions|waitFor|mobile|location|profile|headers)":/
/** Fields of few bytes cost nothing by themselves; they are in the calls with everything. */
const leastBytesAlone = 500

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

export function accepts({ schema, toCall }: Source, value: unknown): boolean {
  const { body, query, takesFile } = toCall(value as Record<string, unknown>)
  const text = Buffer.from(JSON.stringify(body ?? query ?? {}))
  const most = query ? mostQueryBytes : takesFile ? mostOptionBytes : mostBytes
  if (text.length > most || beyondJsonBounds(text) !== undefined) return false
  return schema.safeParse(value).success
}

/** For one route: every field together, in each alphabet, and each large field alone. */
export function callsOf(source: Source, site: string): WorstCall[] {
  const shape = z.toJSONSchema(source.schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const isAccepted = (value: unknown) => accepts(source, value)
  const setting: Setting = { site, alphabet: firstAlphabet, defs: shape.$defs ?? {} }
  const { together, alone } = objectCases(shape, isAccepted, setting)
  const found: [string, Record<string, unknown>][] = Object.keys(alphabets).map((alphabet) => [
    `all fields, ${alphabet}`,
    rewritten(together, alphabet) as Record<string, unknown>,
  ])
  // Many routes refuse actions, and a browser takes longer than anything else: the same without them.
  if (needsBrowser.test(JSON.stringify(together)))
    found.push([
      'all fields, no browser',
      objectCases(shape, isAccepted, { ...setting, leaveOut: browserFields }).together,
    ])
  const large = alone.filter(({ field, value }) => JSON.stringify(value[field]).length >= leastBytesAlone)
  for (const [field, cases] of Map.groupBy(large, (one) => one.field))
    for (const [index, { value }] of cases.entries()) found.push([`${field} ${index + 1}`, value])
  return found
    .filter(([, value]) => isAccepted(value))
    .map(([what, value]) => ({ ...source.toCall(value), what }))
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
