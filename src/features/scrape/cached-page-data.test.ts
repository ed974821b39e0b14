import { describe, expect, it } from 'vitest'
import { cachedPageDataColumn, storedHeaders } from './cache.ts'

const read = (metadata: unknown) =>
  cachedPageDataColumn.read(JSON.stringify({ metadata, version: '1' })).metadata

describe('cached page data', () => {
  it('accepts texts and lists of texts', () => {
    const metadata = {
      ...{ title: 'Tea', ogLocaleAlternate: ['de', 'fr'] },
      ...{ 'article:tag': ['a', 'b'], author: 'Ada' },
    }
    expect(read(metadata)).toEqual(metadata)
    expect(read(undefined)).toBeUndefined()
    expect(storedHeaders.read('{"etag":"1"}')).toEqual({ etag: '1' })
  })

  it.each([
    ['a title that is a list', { title: ['Tea'] }],
    ['other languages that are a text', { ogLocaleAlternate: 'de' }],
    ['a number', { author: 5 }],
    ['a list of numbers', { author: [5] }],
    ['a list', ['Tea']],
    ['a text', 'Tea'],
  ])('rejects %s with an error that names the column', (_, metadata) => {
    expect(() => read(metadata)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('notes') }),
    )
  })

  it.each(['[]', '"etag"', '{"etag":1}', 'null'])('rejects the headers %s', (text) => {
    expect(() => storedHeaders.read(text)).toThrow('headers')
  })
})
