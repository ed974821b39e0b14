import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { OpenApi } from '../console/src/api/schema.ts'
import { type Call, calls } from '../console/src/playground/calls.ts'
import { buildSamples } from '../console/src/playground/code/samples.ts'
import { jsonText, pythonText } from '../console/src/playground/code/write-value.ts'
import type { Field } from '../console/src/playground/form/shape.ts'
import { buildForm, splitRequest } from '../console/src/playground/parameters.ts'
import { applyFix } from '../console/src/playground/with-fix.ts'

// The description that the service generates with `npm run generate`.
const openApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as OpenApi

const findCallByName = (name: string): Call => {
  const match = calls.find((call) => call.name === name)
  if (!match) throw new Error(`There is no call ${name}.`)
  return match
}
const fieldOf = (call: string, name: string): Field | undefined => {
  const { mainFields, options } = buildForm(openApi, findCallByName(call))
  return [...mainFields, ...options].find((field) => field.name === name)
}

describe('forms', () => {
  it.each(calls)('of $name are built from the description', (call) => {
    const form = buildForm(openApi, call)
    const expected = call.mainFields.filter((name) => name !== 'file')
    expect(form.mainFields.map(({ name }) => name)).toEqual(expected)
    expect(form.summary).not.toBe('')
    const required = form.options.filter(({ isRequired }) => isRequired)
    expect(required).toEqual([])
  })

  it('has a specific field for everything except free JSON', () => {
    const asJson = calls.flatMap((call) => {
      const { mainFields, options } = buildForm(openApi, call)
      return [...mainFields, ...options].filter(({ shape }) => shape.kind === 'json').map(({ name }) => name)
    })
    const free = ['actions', 'context', 'exchange', 'headers', 'location', 'profile', 'schema']
    expect([...new Set(asJson)].sort()).toEqual(free)
  })

  it('distinguishes lists of choices from lists of steps', () => {
    const formats = fieldOf('scrape', 'formats')?.shape
    if (formats?.kind !== 'multiSelect') throw new Error('Formats are no choices.')
    const json = formats.variants.find(({ type }) => type === 'json')
    expect(json?.isPlain).toBe(true)
    expect(json?.fields.map(({ name }) => name)).toContain('schema')
    const variantTypes = formats.variants.map(({ type }) => type)
    expect(variantTypes).toContain('product')
    expect(variantTypes).not.toContain('menu')
    expect(formats.canBeEmpty).toBe(true)
    expect(fieldOf('scrape', 'actions')?.shape.kind).toBe('steps')
    expect(fieldOf('search', 'sources')?.shape).toMatchObject({ kind: 'multiSelect', canBeEmpty: false })
    expect(fieldOf('scrape', 'redactPII')?.shape.kind).toBe('union')
    expect(fieldOf('scrape', 'waitFor')?.shape).toEqual({
      kind: 'number',
      min: 0,
      max: 60_000,
      isInteger: true,
    })
  })

  it('encodes path parameters into the path', () => {
    const call = findCallByName('interact')
    const request = splitRequest(call, buildForm(openApi, call), { code: '1', id: 'a/b' })
    expect(request).toEqual({ path: '/v2/scrape/a%2Fb/interact', body: { code: '1' } })
  })

  it('merges a fix, in which null removes an option', () => {
    const request = { url: 'x', waitFor: 5, scrapeOptions: { mobile: true, proxy: 'basic' } }
    const fix = { waitFor: null, scrapeOptions: { proxy: null, fastMode: true } }
    expect(applyFix(request, fix)).toEqual({ url: 'x', scrapeOptions: { mobile: true, fastMode: true } })
  })
})

describe('samples', () => {
  const body = { url: "https://example.com/it's", onlyMainContent: false, formats: ['markdown', 'links'] }

  it('keep what fits in a line, and keep their values', () => {
    expect(jsonText({ formats: ['a', 'b'], location: { country: 'de' }, none: {}, left: undefined })).toBe(
      '{\n  "formats": ["a", "b"],\n  "location": { "country": "de" },\n  "none": {}\n}',
    )
    expect(JSON.parse(jsonText(body))).toEqual(body)
    expect(pythonText({ a: true, b: null, c: [false] })).toBe(
      '{\n    "a": True,\n    "b": None,\n    "c": [False],\n}',
    )
  })

  it.each(calls)('of $name contain no key', (call) => {
    const file = call.name === 'parse' ? { file: 'a.pdf' } : {}
    const samples = buildSamples({ call, origin: 'http://127.0.0.1:3002', path: call.path, body, ...file })
    expect(samples.map(({ name }) => name)).toEqual(['curl', 'JavaScript', 'firecrawl', 'Python'])
    for (const { code } of samples) expect(code).toMatch(/WINNOW_API_KEY|no method for this call/)
  })

  it('quote an apostrophe for a shell', () => {
    const [curl] = buildSamples({ call: findCallByName('scrape'), origin: '', path: '', body })
    expect(curl?.code).toContain("it'\\''s")
  })
})
