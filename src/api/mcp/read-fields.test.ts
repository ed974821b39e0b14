import { describe, expect, it } from 'vitest'
import { jsonChunks } from '../../platform/json/write-json.ts'
import { completeValue, isComplete, readFields } from './read-fields.ts'

async function* toChunks(size: number, json: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(json)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const fullWindow = () => ({ offset: 0, limit: 1e9 })
const value = {
  markdown: 'a "quoted" \\ back\\\\slash \n\t\u0001 é 🦊 "}],{',
  'odd "name"\\': 'x',
  empty: '',
  links: ['https://a.example/?x={"}', 'b\\"', '\\'],
  metadata: { title: 'T "}', nested: [{ a: [] }, {}, null], statusCode: 200 },
  count: -1.5e3,
  yes: true,
  none: null,
}

describe('readFields', () => {
  it.each([1, 2, 3, 7, 64, 100_000])(
    'reads the same values as JSON.parse in chunks of %i bytes',
    async (size) => {
      const fields = await readFields(toChunks(size, JSON.stringify(value)), fullWindow)
      const values = Object.fromEntries([...fields].map(([name, field]) => [name, completeValue(field)]))
      expect(values).toEqual(value)
    },
  )

  it('reads indented JSON and unnecessary escapes', async () => {
    const indented = JSON.stringify(value, null, 2).replaceAll('é', '\\u00e9').replaceAll('/', '\\/')
    const fields = await readFields(toChunks(5, indented), fullWindow)
    expect(completeValue(fields.get('markdown'))).toBe(value.markdown)
    expect(completeValue(fields.get('metadata'))).toEqual(value.metadata)
    expect(fields.size).toBe(Object.keys(value).length)
  })

  it('returns only the characters in the window, and never half a surrogate pair', async () => {
    const text = '🦊'.repeat(1000)
    let joined = ''
    for (let offset = 0; offset < text.length; ) {
      const limit = 101
      const field = (await readFields(jsonChunks({ text }), () => ({ offset, limit }))).get('text')
      expect(field).toMatchObject({ total: 2000, offset })
      expect(field?.text.isWellFormed()).toBe(true)
      joined += field?.text
      offset += field?.text.length ?? Infinity
    }
    expect(joined).toBe(text)
  })

  it('distinguishes a complete field from a truncated one', async () => {
    const fields = await readFields(jsonChunks({ list: [1, 2, 3], text: 'long' }), () => ({
      offset: 0,
      limit: 4,
    }))
    expect(
      [...fields.values()].map((field) => [field.name, isComplete(field), completeValue(field)]),
    ).toEqual([
      ['list', false, undefined],
      ['text', true, 'long'],
    ])
  })

  it.each(['null', '[]', '"text"', '{}'])('finds no fields in %s', async (json) => {
    expect((await readFields(toChunks(1, json), fullWindow)).size).toBe(0)
  })
})
