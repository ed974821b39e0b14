import { describe, expect, it } from 'vitest'
import { findExceededJsonBound } from '../../src/api/body/read-json.ts'
import { endpoints, v1Endpoints } from '../../src/bootstrap/server.ts'
import { bounds, findBound } from '../../src/platform/bounds.ts'
import { plainCalls } from './plain-calls.ts'
import { accepts, jsonCalls, sources, valuesOf } from './worst-calls.ts'

const site = 'http://127.0.0.1:8080'

/** Bounds that no field of a request reaches: of started work, of JSON, of headers, and of enumerated values. */
const boundsWithoutField = [
  ...['JSON_DEPTH', 'JSON_VALUES', 'IDEMPOTENCY_KEY_LENGTH', 'SCHEMA_NODES', 'SCHEMA_DEPTH', 'SCHEMA_STEPS'],
  ...['SCHEMA_SECONDS', 'SELECTORS_SECONDS', 'PROMPT_SECONDS', 'READ_SECONDS', 'MERGE_SECONDS', 'BLOCKS'],
  ...['MODEL_ANSWER_BYTES', 'MODEL_ANSWER_SECONDS', 'TBS_LENGTH', 'SELECTOR_DEPTH', 'SELECTOR_STEPS'],
  ...['PATTERN_SIZE', 'PATTERN_MS', 'EVENT_LENGTH', 'VERSIONS', 'ZIP_FILES'],
  // A waiting call measures nothing, and a body of the default `MAX_REQUEST_MB` is too small for this much content.
  ...[
    'WAITING_EVENTS',
    'DEVTOOLS_DEPTH',
    'DEVTOOLS_VALUES',
    'MCP_WAIT_SECONDS',
    'MCP_CONTENT_LENGTH',
    'MCP_MESSAGES',
  ],
].map((name) => `MAX_${name}`)

/** Yields every extension of a value by a character, an entry or a number; in lists, of one entry of each kind. */
function* extendByOne(value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield value + value.slice(0, 1)
  else if (typeof value === 'number') yield value + 1
  else if (Array.isArray(value)) {
    yield [...value, value[0]]
    const kinds = new Set<unknown>()
    for (const [index, entry] of value.entries()) {
      const kind = typeof entry === 'object' ? entry?.type : typeof entry
      if (kinds.has(kind)) continue
      kinds.add(kind)
      for (const more of extendByOne(entry)) yield value.with(index, more)
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const [first] = entries
    if (first) yield { ...value, [`${first[0].slice(0, -1)}z`]: first[1] }
    for (const [name, inner] of entries.length > 60 ? entries.slice(0, 1) : entries) {
      yield { ...value, [`${name}z`]: inner }
      for (const more of extendByOne(inner)) yield { ...value, [name]: more }
    }
  }
}

describe('calls at their bounds', () => {
  const reachedBounds = new Set<string>()
  /** Checked fields, because fields of several routes are checked only once. */
  const checkedKinds = new Set<string>()

  it.each(sources.map((source) => ({ route: source.route, source })))(
    'fill every field of $route',
    { timeout: 120_000 },
    ({ source }) => {
      const { combined, individual, rejected } = valuesOf(source, site)
      expect(accepts(source, combined)).toBe(true)
      for (const [label, value] of rejected.slice(0, 4)) expect(accepts(source, value), label).toBe(false)
      for (const [index, { field, value }] of individual.entries()) {
        const text = JSON.stringify(value[field])
        const size = text.length
        const kind = `${field} ${size} ${text.slice(0, 30)}`
        // Large values take long to validate, and the first two values of a field are its largest.
        if (
          (size > 100 && checkedKinds.has(kind)) ||
          (size > 20_000 && individual[index - 2]?.field === field)
        )
          continue
        checkedKinds.add(kind)
        for (const more of extendByOne(value[field])) {
          const { error } = source.schema.safeParse({ ...value, [field]: more })
          const exceeded = error && findBound(JSON.stringify(error.issues).replaceAll('\\', ''))
          if (exceeded) reachedBounds.add(exceeded.bound)
        }
      }
    },
  )

  it('include a list with the maximum number of formats of one type, which is rejected late', () => {
    const scrape = sources.filter(({ route }) => route === 'POST /v2/scrape')
    const [found] = scrape.flatMap((source) =>
      valuesOf(source, site)
        .rejected.filter(([label]) => label.startsWith('50 of formats: {"type":"attributes"'))
        .map(([, value]) => ({ value, error: source.schema.safeParse(value).error })),
    )
    expect(found?.error?.issues.map(({ message }) => message)).toContain(
      'The format "attributes" is requested twice.',
    )
    const formats = found?.value.formats as { selectors: { selector: string }[] }[]
    expect(formats.length).toBe(bounds.MAX_FORMATS.most)
    const lengths = formats.map(({ selectors }) => selectors.map(({ selector }) => selector).join('').length)
    expect(new Set(lengths)).toEqual(new Set([bounds.MAX_SELECTORS_LENGTH.most]))
  })

  it('cover every endpoint', () => {
    const covered = [...sources.map(({ toCall }) => toCall({})), ...plainCalls]
    const routes = new Set(covered.map(({ method, path }) => `${method} ${path}`))
    const missing = [...endpoints, ...v1Endpoints].filter(
      ({ method, path }) => !routes.has(`${method} ${path}`),
    )
    expect(missing.map(({ path }) => path)).toEqual([])
  })

  it('reach the bounds of JSON', () => {
    const [values, deep] = jsonCalls().map(({ body }) => JSON.stringify(body))
    expect(findExceededJsonBound(Buffer.from(values ?? ''))).toBeUndefined()
    expect(findExceededJsonBound(Buffer.from(deep ?? ''))).toBeUndefined()
    expect(findExceededJsonBound(Buffer.from((values ?? '').replace('[1', '[1,1,1,1,1')))).toBe(
      'MAX_JSON_VALUES',
    )
    expect(findExceededJsonBound(Buffer.from(`[${deep}]`))).toBe('MAX_JSON_DEPTH')
  })

  it('reach the bounds of their fields, so that an extension by one exceeds the bound', () => {
    const missedBounds = Object.keys(bounds).filter((name) => !reachedBounds.has(name))
    expect(missedBounds.toSorted()).toEqual(boundsWithoutField.toSorted())
  })
})
