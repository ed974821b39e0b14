import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { siteDomains } from './tavily.ts'

describe('siteDomains', () => {
  it.each([
    ['tides', [], []],
    ['site:a.com', ['a.com'], []],
    ['site:a.com OR site:b.com/docs', ['a.com', 'b.com'], []],
    // Pages outside the site may match the word.
    ['site:a.com OR tides', [], []],
    ['site:edu', [], []],
    ['-site:a.com -site:b.com/docs -tides', [], ['a.com']],
  ])('returns the sites of %j', (text, included, excluded) => {
    expect(siteDomains(parseQuery(text))).toEqual({ included, excluded })
  })
})
