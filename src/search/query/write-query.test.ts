import { describe, expect, it } from 'vitest'
import { parseQuery } from './query.ts'
import { type Dialect, plainWords, webDialect, writeQuery } from './write-query.ts'

const written = (text: string, dialect: Dialect) => writeQuery(parseQuery(text), dialect)

describe('a query in the words of an engine', () => {
  it.each([
    ['tea "green leaf" -black site:example.com', 'tea "green leaf" -black site:example.com'],
    ['intitle:"release notes" inurl:blog', 'intitle:"release notes" inurl:blog'],
    ['allintitle: tide table', 'intitle:tide intitle:table'],
    ['site:a.com site:b.com tea', 'site:a.com OR site:b.com tea'],
    ['-filetype:pdf -"press release" tea', '-filetype:pdf -"press release" tea'],
  ])('%j is written whole where all of it is understood', (text, expected) => {
    expect(written(text, webDialect)).toEqual({ text: expected, left: [] })
  })

  it('is words only where no operator is understood, and the rest is left to filter by', () => {
    const { text, left } = written(
      'tea "green leaf" -black site:example.com intitle:harvest a OR b',
      plainWords,
    )
    expect(text).toBe('tea green leaf harvest a b')
    expect(left).toHaveLength(5)
  })

  it('leaves out what only excludes', () => {
    expect(written('tea -black', plainWords).text).toBe('tea')
  })
})
