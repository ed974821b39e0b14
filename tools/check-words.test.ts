import { describe, expect, it } from 'vitest'
import { findWords } from './check-words.ts'

const find = (path: string, source: string) =>
  findWords(path, source).map(({ line, found }) => `${line} ${found}`)

describe('findWords', () => {
  it('finds words of comments', () => {
    expect(
      find('a.ts', '// Read anew.\nconst a = 1 // undefined where b is\n/**\n * What came of it.\n */'),
    ).toEqual(['1 anew', '2 undefined where', '4 came of'])
    expect(find('a.py', 'a = 1  # nobody waits\n"""A wish."""')).toEqual(['1 nobody', '2 wish'])
  })

  it('finds parts of names', () => {
    expect(find('a.ts', 'const mostPages = 1\nfunction f(needs: ScrapeNeeds) {}')).toEqual([
      '1 mostPages',
      '2 needs',
      '2 ScrapeNeeds',
    ])
  })

  it('ignores strings, regular expressions, quoted code, and public names', () => {
    const source = [
      "const a = 'anew /* wish */'",
      'const b = /needs|wishes/',
      '// The value of `mostPages`, "anew".',
      'const c = `needs a // anew`',
      'const { mostLiving } = row',
    ]
    expect(find('a.ts', source.join('\n'))).toEqual([])
  })

  it('finds words of documents, except in code', () => {
    expect(find('a.md', 'Fetched anew.\n\n```sh\n# anew\n```\n\n`anew`, for strangers')).toEqual([
      '1 anew',
      '7 strangers',
    ])
  })

  it('names the replacement', () => {
    expect(findWords('a.md', 'Fetched anew.')).toEqual([
      { path: 'a.md', line: 1, found: 'anew', use: 'again, from scratch' },
    ])
  })
})
