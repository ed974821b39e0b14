import { describe, expect, it } from 'vitest'
import { parseQuery } from '../query/query.ts'
import { siteDomains } from './tavily.ts'

describe('the sites of a query', () => {
  it.each([
    ['tides', [], []],
    ['site:a.com', ['a.com'], []],
    ['site:a.com OR site:b.com/docs', ['a.com', 'b.com'], []],
    // Words may be met elsewhere than on the site.
    ['site:a.com OR tides', [], []],
    ['site:edu', [], []],
    ['-site:a.com -site:b.com/docs -tides', [], ['a.com']],
  ])('of %j', (text, included, excluded) => {
    expect(siteDomains(parseQuery(text))).toEqual({ included, excluded })
  })
})
