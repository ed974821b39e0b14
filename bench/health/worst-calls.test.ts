import { describe, expect, it } from 'vitest'
import { type BoundName, boundNamed } from '../../src/base/bounds.ts'
import { endpoints, v1Endpoints } from '../../src/compose/server.ts'
import { beyondJsonBounds } from '../../src/http/read-json.ts'
import { callsOf, jsonCalls, type Source, sources, type WorstCall } from './worst-calls.ts'

const site = 'http://127.0.0.1:8080'

/** Bounds of the fields of the routes that are filled here. */
const boundsHere: BoundName[] = [
  'MAX_URL_LENGTH',
  'MAX_ID_LENGTH',
  'MAX_CURSOR_LENGTH',
  'MAX_LABEL_LENGTH',
  'MAX_PROMPT_LENGTH',
  'MAX_SUPPORT_QUESTION_LENGTH',
  'MAX_RATIONALE_LENGTH',
  'MAX_SEARCH_LENGTH',
  'MAX_PAPER_FILTERS',
  'MAX_PAPER_ANCHORS',
  'MAX_DEVELOPER_TYPES',
  'MAX_DEVELOPER_REPOS',
  'MAX_DEVELOPER_TOPICS',
  'MAX_HEADERS',
  'MAX_PROFILE_NAME_LENGTH',
  'MAX_METADATA_BYTES',
  'MAX_FEEDBACK_SOURCES',
  'MAX_FEEDBACK_REASON_LENGTH',
  'MAX_FEEDBACK_TEXT_LENGTH',
  'MAX_FEEDBACK_NOTE_LENGTH',
  'MAX_FEEDBACK_PAGES',
  'MAX_FEEDBACK_METADATA_BYTES',
  'MAX_TEAM_NAME_LENGTH',
  'MAX_TEAM_CONCURRENCY',
  'MAX_GRANTED_CREDITS',
  'MAX_USAGE_DAYS',
  'MAX_CONSOLE_CODE_LENGTH',
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

/** Filling these takes many seconds, since each trial reads selectors, patterns or schemas; the benchmark fills all routes. */
const slowRoutes = /\/v1\/|\/mcp|batch\/scrape$|crawl$|parse$|map$|scrape$|extract$|search$/
const filledHere = sources.filter(({ route }) => !slowRoutes.test(route))

describe('calls at their bounds', () => {
  const reached = new Set<BoundName>()

  it.each(filledHere.map((source) => ({ route: source.route, source })))(
    'fill every field of $route',
    { timeout: 120_000 },
    ({ source }) => {
      const calls = callsOf(source, site)
      expect(calls.map(({ what }) => what)).toContain('all fields, words')
      const looked = new Set<string>()
      for (const call of calls) {
        const value = filledValue(source, call)
        // Of each field, the first values are enough to show that one more is refused; large ones take long to read again.
        const field = call.what.replace(/(?: [3-9]|, .*)$/, '')
        if (looked.has(field) || JSON.stringify(value).length > 40_000) continue
        looked.add(field)
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

  it('reach the bounds of their fields: one more is refused by its name', () => {
    expect(boundsHere.filter((name) => !reached.has(name))).toEqual([])
  })
})
