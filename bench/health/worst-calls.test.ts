import { describe, expect, it } from 'vitest'
import { type BoundName, boundNamed, bounds } from '../../src/base/bounds.ts'
import { endpoints, v1Endpoints } from '../../src/compose/endpoints.ts'
import { beyondJsonBounds } from '../../src/http/scan-json.ts'
import { accepts, callsOf, jsonCalls, type Source, sources, type WorstCall } from './worst-calls.ts'

const site = 'http://127.0.0.1:8080'

/** Bounds of what a request leads to, and of what is not in a field of a body, a query or a tool. */
const notOfAField: BoundName[] = [
  ...(['MAX_SCHEMA_NODES', 'MAX_SCHEMA_DEPTH', 'MAX_SCHEMA_STEPS', 'MAX_SCHEMA_SECONDS'] as const),
  ...([
    'MAX_READ_SECONDS',
    'MAX_MERGE_SECONDS',
    'MAX_MODEL_ANSWER_BYTES',
    'MAX_MODEL_ANSWER_SECONDS',
  ] as const),
  ...(['MAX_SELECTOR_STEPS', 'MAX_PATTERN_MS', 'MAX_BLOCKS', 'MAX_VERSIONS', 'MAX_ZIP_FILES'] as const),
  ...([
    'MAX_WAITING_EVENTS',
    'MAX_IDEMPOTENCY_KEY_LENGTH',
    'MAX_FILE_NAME_LENGTH',
    'MAX_MCP_MESSAGES',
  ] as const),
  ...(['MAX_JSON_DEPTH', 'MAX_JSON_VALUES'] as const),
]

const filledValue = (source: Source, { body, query }: WorstCall) => {
  const value = body ?? query
  return source.route.startsWith('POST /mcp')
    ? (value as { params: { arguments: unknown } }).params.arguments
    : value
}

/** Every way to put one more into a value: a character, an entry, a number, or a level. */
function* oneMore(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield value + value.slice(0, 1)
  else if (typeof value === 'number') yield value + 1
  else if (Array.isArray(value)) {
    yield [...value, value[0]]
    for (const more of oneMore(value[0])) yield [more, ...value.slice(1)]
    const last = value.length - 1
    if (last > 0) for (const more of oneMore(value[last])) yield [...value.slice(0, last), more]
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const [first] = entries
    if (first) yield { ...value, [`${first[0].slice(0, -1)}z`]: first[1] }
    for (const [name, inner] of entries.length > 60 ? entries.slice(0, 1) : entries) {
      yield { ...value, [`${name}z`]: inner }
      for (const more of oneMore(inner)) yield { ...value, [name]: more }
    }
  }
}

describe('calls at their bounds', () => {
  const reached = new Set<BoundName>()

  it.each(sources.map((source) => ({ route: source.route, source })))(
    'fill $route and are accepted',
    { timeout: 120_000 },
    ({ source }) => {
      const calls = callsOf(source, site)
      expect(calls.map(({ what }) => what)).toContain('all fields, words')
      // Each field is looked at once: alone, where it is large, and in the call with everything.
      const looked = new Set<string>()
      for (const call of calls) {
        const value = filledValue(source, call)
        expect(accepts(source, value)).toBe(true)
        if (looked.has(call.what.replace(/ \d+$/, '').replace(/,.*/, ''))) continue
        looked.add(call.what.replace(/,.*/, '').replace(/ \d+$/, (count) => (Number(count) > 2 ? '' : count)))
        if (JSON.stringify(value).length > 1_000_000) continue
        for (const more of oneMore(value)) {
          const { error } = source.schema.safeParse(more)
          const named = error && boundNamed(JSON.stringify(error.issues).replaceAll('\\', ''))
          if (named) reached.add(named.bound)
        }
      }
    },
  )

  it('cover every route with a body', () => {
    const covered = new Set(sources.map(({ route }) => route))
    const missing = [...endpoints, ...v1Endpoints].filter(
      ({ method, path, body }) => body && !covered.has(`${method} ${path}`),
    )
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  it('reach the bounds of JSON itself', () => {
    const [values, deep] = jsonCalls().map(({ body }) => JSON.stringify(body))
    expect(beyondJsonBounds(Buffer.from(values ?? ''))).toBeUndefined()
    expect(beyondJsonBounds(Buffer.from(deep ?? ''))).toBeUndefined()
    expect(beyondJsonBounds(Buffer.from((values ?? '').replace('[1', '[1,1,1,1,1')))).toBe('MAX_JSON_VALUES')
    expect(beyondJsonBounds(Buffer.from(`[${deep}]`))).toBe('MAX_JSON_DEPTH')
  })

  it('reach every bound of a field: one more is refused by its name', () => {
    const wanted = (Object.keys(bounds) as BoundName[]).filter((name) => !notOfAField.includes(name))
    expect(wanted.filter((name) => !reached.has(name))).toEqual([])
  })
})
