import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inlineValueWork } from '../../../test/value-work.ts'
import { readPage } from '../../content/content.ts'
import { buildParts, pageParts } from '../page-parts/parts.ts'
import { formatEntry, formats } from './index.ts'

const page = {
  requestedUrl: 'https://site.example/page',
  url: 'https://site.example/page',
  status: 200,
  headers: { 'content-type': 'text/html' },
  bytes: Buffer.from(
    '<title>T</title><main><h1>Title</h1><p>Text <a href="/next">next</a> <img src="a.png"></p></main>',
  ),
  fetchedAt: 0,
}
const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

describe.each(formats)('format $name', (format) => {
  it('has a unique name, and shares no output field with formats it can be combined with', () => {
    const others = formats.filter((other) => other !== format)
    expect(others.map((other) => other.name)).not.toContain(format.name)
    const combinable = others.filter(
      (other) => !format.excludes?.includes(other.name) && !other.excludes?.includes(format.name),
    )
    const otherFields = combinable.flatMap((other) => Object.keys(other.output))
    expect(Object.keys(format.output).filter((field) => otherFields.includes(field))).toEqual([])
  })

  it('has a description for itself and for its fields', () => {
    expect(format.description).toMatch(/\.$/)
    for (const field of Object.values(format.output)) expect((field as z.ZodType).description).toBeTruthy()
  })

  it('has captures exactly if it reads from a picture or an open page', () => {
    const isCaptured = format.captures !== undefined
    expect(['picture', 'openPage'].includes(format.readsFrom)).toBe(isCaptured)
    if (format.takesFile) expect(['bytes', 'network']).toContain(format.readsFrom)
    for (const other of [...(format.requires ?? []), ...(format.excludes ?? [])])
      expect(formats.map(({ name }) => name)).toContain(other)
  })

  it('returns a result that matches its output schema, or a reason why it is unavailable', async () => {
    const context = {
      page,
      isFile: false,
      storeFile: async () => 'https://files.example/1',
      history: undefined,
      model: undefined,
      sentences: undefined,
      work: inlineValueWork,
      audio: async () => ({ reason: 'there is no recording.' }),
      signal: new AbortController().signal,
      warn: () => undefined,
      waive: () => undefined,
    }
    const formatOptions = z.object(format.options).parse(format.example ?? {})
    const builtParts = await buildParts(
      readPage(page, options),
      page.url,
      format.reads?.(formatOptions) ?? {},
    )
    const rendered = await format.render(pageParts(builtParts), formatOptions, context)
    if (typeof rendered.unavailable === 'string') expect(rendered.unavailable.length).toBeGreaterThan(10)
    else {
      expect(z.strictObject(format.output).parse(rendered)).toEqual(rendered)
    }
  })

  it('accepts an object, a bare name unless it has required options, and rejects unknown options unless it is absent', () => {
    const entry = { type: format.name, ...format.example }
    const { type } = format.aliasTarget?.({ mode: 'freeform', ...format.example }) ?? { type: format.name }
    expect(formatEntry.parse(entry)).toMatchObject({ type })
    expect(formatEntry.safeParse(format.name).success).toBe(format.example === undefined)
    expect(formatEntry.safeParse({ ...entry, nonsense: 1 }).success).toBe(format.absence !== undefined)
  })
})
