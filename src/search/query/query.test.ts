import { describe, expect, it } from 'vitest'
import { parseQuery, rankingText, type Term } from './query.ts'

const formatTerm = (term: Term) => {
  if (term.kind === 'word') return term.text
  if (term.kind === 'phrase') return `"${term.text}"`
  if (term.kind === 'size') return `${term.name}:${term.width}x${term.height}`
  return `${term.name}:${term.value}`
}
const formatClauses = (text: string) =>
  parseQuery(text).clauses.map(
    ({ terms, isExcluded }) => (isExcluded ? '-' : '') + terms.map(formatTerm).join(' OR '),
  )

describe('parseQuery', () => {
  it.each<[string, string[]]>([
    ['web scraping', ['web', 'scraping']],
    ['"exact text" more', ['"exact text"', 'more']],
    ['“curly quotes” «and others»', ['"curly quotes"', '"and others"']],
    ['jaguar -car -"sports club"', ['jaguar', '-car', '-"sports club"']],
    ['site:example.com docs', ['site:example.com', 'docs']],
    ['site: example.com docs', ['site:example.com', 'docs']],
    ['-site:example.com docs', ['-site:example.com', 'docs']],
    ['site:https://Example.com/Docs/', ['site:example.com/Docs']],
    ['site:*.example.com', ['site:example.com']],
    ['site:.edu', ['site:edu']],
    ['site:a.com site:b.com', ['site:a.com OR site:b.com']],
    ['site:a.com OR site:b.com tea', ['site:a.com OR site:b.com', 'tea']],
    ['filetype:.PDF report', ['filetype:pdf', 'report']],
    ['inurl:blog intitle:"release notes"', ['inurl:blog', 'intitle:release notes']],
    ['-intitle:"press release"', ['-intitle:press release']],
    ['allintitle: tide table', ['intitle:tide', 'intitle:table']],
    ['allinurl:docs api', ['inurl:docs', 'inurl:api']],
    ['related:https://example.com/', ['related:example.com']],
    ['boats imagesize:1920x1080', ['boats', 'imagesize:1920x1080']],
    ['boats larger:800×600', ['boats', 'larger:800x600']],
    ['tea OR coffee | cocoa cake', ['tea OR coffee OR cocoa', 'cake']],
    ['(tea OR coffee) cake', ['tea OR coffee', 'cake']],
    ['INTITLE:harbour', ['intitle:harbour']],
    ['state-of-the-art', ['state-of-the-art']],
    ['C++ c# .net', ['C++', 'c#', '.net']],
    ['note: this is text', ['note:', 'this', 'is', 'text']],
    ['12:30', ['12:30']],
    ['https://example.com/a?b=c', ['https://example.com/a?b=c']],
    ['an "open quote', ['an', 'open', 'quote']],
    ['OR tea', ['tea']],
    ['tea OR', ['tea']],
    ['tea -', ['tea']],
    ['東京 天気', ['東京', '天気']],
    ['', []],
    ['   ', []],
  ])('parses %j', (text, clauses) => {
    expect(formatClauses(text)).toEqual(clauses)
  })

  it.each(['constructor:lamp', 'toString:lamp', '__proto__:lamp'])('reads %j as words', (text) => {
    expect(structuredClone(parseQuery(text)).clauses).toEqual(parseQuery(text).clauses)
    expect(JSON.stringify(parseQuery(text).clauses)).toContain('lamp')
    expect(JSON.stringify(parseQuery(text).clauses)).not.toContain('operator')
  })

  it('reports an operator with an invalid value, and searches for it as a word', () => {
    const { clauses, problems } = parseQuery('boats imagesize:big')
    expect(problems).toEqual(['imagesize:big has no size such as 1920x1080'])
    expect(clauses.flatMap(({ terms }) => terms.map(formatTerm))).toEqual(['boats', 'imagesize:big'])
  })

  it('provides words, phrases and titles for ranking', () => {
    const query = parseQuery('tea "green leaf" intitle:harvest -black site:example.com larger:1x1')
    expect(rankingText(query)).toBe('tea green leaf harvest')
  })

  it('takes linear time', () => {
    for (const text of [
      '"'.repeat(50_000),
      '-'.repeat(50_000),
      'a:'.repeat(50_000),
      `site:${' '.repeat(50_000)}`,
      'OR '.repeat(20_000),
    ])
      expect(parseQuery(text).clauses.length).toBeLessThan(50_001)
  })
})
