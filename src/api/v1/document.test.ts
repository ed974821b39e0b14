import { describe, expect, it } from 'vitest'
import { JsonText } from '../../platform/json/json.ts'
import { toV1JsonText } from './document.ts'

/** Splits the JSON into chunks of this many bytes. */
const toChunkedJson = (value: unknown, size: number) => {
  const bytes = Buffer.from(JSON.stringify(value))
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )
  return new JsonText(bytes.length, () => chunks)
}

const convert = (text: JsonText) => toV1JsonText(text).value()

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
const v1Tracking = { ...rest, diff: { text: diff, json: diffJson } }

describe.each([1, 2, 3, 7, 64, 10_000])('storedInV1() with chunks of %i bytes', (size) => {
  it('returns the values under both names, and the diff in one object', async () => {
    expect(await convert(toChunkedJson(document, size))).toEqual({
      ...document,
      extract: document.json,
      changeTracking: v1Tracking,
    })
  })

  it('returns the same for another order of fields', async () => {
    const { json, changeTracking: _, ...others } = document
    const reordered = { changeTracking: tracking, ...others, json }
    const expected = { changeTracking: v1Tracking, ...others, json, extract: json }
    expect(await convert(toChunkedJson(reordered, size))).toEqual(expected)
  })

  it.each([null, 'json', [], {}, { json: null }, { json: 5 }, { changeTracking: null, a: { diff: 1 } }])(
    'keeps other values unchanged and copies json: %j',
    async (value) => {
      const hasJson = value !== null && typeof value === 'object' && 'json' in value
      const expected = hasJson ? { ...value, extract: value.json } : value
      expect(await convert(toChunkedJson(value, size))).toEqual(expected)
    },
  )
})
