import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readPage } from '../content/content.ts'
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

describe.each(formats)('the format $name', (format) => {
  it('has a name and output fields that no other format has', () => {
    const others = formats.filter((other) => other !== format)
    expect(others.map((other) => other.name)).not.toContain(format.name)
    const taken = others.flatMap((other) => Object.keys(other.output))
    expect(Object.keys(format.output).filter((field) => taken.includes(field))).toEqual([])
  })

  it('describes itself and its fields', () => {
    expect(format.description).toMatch(/\.$/)
    for (const field of Object.values(format.output)) expect(field.description).toBeTruthy()
  })

  it('returns what its output promises', async () => {
    const rendered = await format.render(readPage(page, options), {})
    expect(z.strictObject(format.output).parse(rendered)).toEqual(rendered)
  })

  it('can be asked for by its bare name and as an object, but not with options it does not have', () => {
    expect(formatEntry.parse(format.name)).toEqual({ type: format.name })
    expect(formatEntry.parse({ type: format.name })).toEqual({ type: format.name })
    expect(formatEntry.safeParse({ type: format.name, nonsense: 1 }).success).toBe(false)
  })
})
