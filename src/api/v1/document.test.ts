import { describe, expect, it } from 'vitest'
import { JsonText } from '../../platform/json/json.ts'
import { storedInV1 } from './document.ts'

/** The text in chunks of this many bytes. */
const chunked = (value: unknown, size: number) => {
  const bytes = Buffer.from(JSON.stringify(value))
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return new JsonText(bytes.length, () => parts)
}

const read = (text: JsonText) => storedInV1(text).value()

const files = [{ from: null, to: 'a', chunks: [{ content: '@@', changes: [{ type: 'add', diff: 1 }] }] }]
const tracking = {
  ...{ previousScrapeAt: null, changeStatus: 'changed', diff: '-"a\\" {,:\n+b', diffJson: { files } },
  json: { 'a.diff': { previous: 1, current: { diff: [2], diffJson: 'x' } } },
}
const document = {
  markdown: 'He said: "json": {"a": [1, 2]}, \\ and "changeTracking" é 語',
  json: { title: 'A "quoted, {title}\\"', json: { json: [] }, list: [{ diff: 1 }, ']'] },
  jsonEvidence: [{ json: 1 }],
  changeTracking: tracking,
  metadata: { json: 'x', diff: 'y', changeTracking: { diff: 1, diffJson: 2 }, list: [1, 'json'] },
}
const { diff, diffJson, ...rest } = tracking
const tracked = { ...rest, diff: { text: diff, json: diffJson } }

describe.each([1, 2, 3, 7, 64, 10_000])('a document in chunks of %i bytes', (size) => {
  it('has its values by both names, and its difference in one object', async () => {
    expect(await read(chunked(document, size))).toEqual({
      ...document,
      extract: document.json,
      changeTracking: tracked,
    })
  })

  it('is the same in another order', async () => {
    const { json, changeTracking: _, ...others } = document
    const given = { changeTracking: tracking, ...others, json }
    const expected = { changeTracking: tracked, ...others, json, extract: json }
    expect(await read(chunked(given, size))).toEqual(expected)
  })

  it.each([null, 'json', [], {}, { json: null }, { json: 5 }, { changeTracking: null, a: { diff: 1 } }])(
    'stays what it is, or is copied: %j',
    async (given) => {
      const copied = given !== null && typeof given === 'object' && 'json' in given
      const expected = copied ? { ...given, extract: given.json } : given
      expect(await read(chunked(given, size))).toEqual(expected)
    },
  )
})
