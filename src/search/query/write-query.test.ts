import { describe, expect, it } from 'vitest'
import { parseQuery } from './query.ts'
import { type Dialect, plainWords, webDialect, writeQuery } from './write-query.ts'

const write = (text: string, dialect: Dialect) => writeQuery(parseQuery(text), dialect)

describe('writeQuery', () => {
  it.each([
    ['tea "green leaf" -black site:example.com', 'tea "green leaf" -black site:example.com'],
    ['intitle:"release notes" inurl:blog', 'intitle:"release notes" inurl:blog'],
    ['allintitle: tide table', 'intitle:tide intitle:table'],
    ['site:a.com site:b.com tea', 'site:a.com OR site:b.com tea'],
    ['-filetype:pdf -"press release" tea', '-filetype:pdf -"press release" tea'],
  ])('writes all of %j if all of it is supported', (text, expected) => {
    expect(write(text, webDialect)).toEqual({ text: expected, unsupported: [] })
  })

  it('writes words only if no operator is supported, and returns the rest as filters', () => {
    const { text, unsupported } = write(
      'tea "green leaf" -black site:example.com intitle:harvest a OR b',
      plainWords,
    )
    expect(text).toBe('tea green leaf harvest a b')
    expect(unsupported).toHaveLength(5)
  })

  it('omits clauses that only exclude', () => {
    expect(write('tea -black', plainWords).text).toBe('tea')
  })
})
