import { describe, expect, it } from 'vitest'
import { compilePatterns, patternProblem } from './patterns.ts'

const refuses = (url: string, given: Partial<Parameters<typeof compilePatterns>[0]>) =>
  compilePatterns({ includePaths: [], excludePaths: [], regexOnFullURL: false, ...given }).refuses(
    new URL(url),
  )

describe('include and exclude patterns', () => {
  it('want everything when there are none', () => {
    expect(refuses('https://a.example/x', {})).toBeUndefined()
  })

  it.each([['^/blog/.*'], ['^blog/.*'], ['blog/']])(
    'read the path with and without its first slash: %s',
    (pattern) => {
      expect(refuses('https://a.example/blog/1', { includePaths: [pattern] })).toBeUndefined()
      expect(refuses('https://a.example/shop/1', { includePaths: [pattern] })).toBe('include paths')
    },
  )

  it('exclude what is included', () => {
    const given = { includePaths: ['^/blog/'], excludePaths: ['/tag/'] }
    expect(refuses('https://a.example/blog/tag/x', given)).toBe('exclude paths')
  })

  it('see the whole address only when told so', () => {
    const given = { includePaths: ['page=2'] }
    expect(refuses('https://a.example/x?page=2', given)).toBe('include paths')
    expect(refuses('https://a.example/x?page=2', { ...given, regexOnFullURL: true })).toBeUndefined()
  })

  it.each([['(a+)+$'], ['(a|a)*b$'], ['(.*)*x$'], ['(([a-z]+)*)*[0-9]$']])(
    'are not held up by %s',
    (pattern) => {
      const url = `https://a.example/${'a'.repeat(8000)}!`
      expect(refuses(url, { includePaths: [pattern] })).toBe('include paths')
    },
  )

  it.each([
    ['(', 'missing closing'],
    ['[z-a]', 'range'],
    ['(?=a)', 'look-around'],
    ['(a)\\1', 'back-references'],
    ['a{1001}', 'repeat count'],
  ])('say what is wrong with %s', (pattern, reason) => {
    expect(patternProblem(pattern)).toContain(reason)
    expect(() => refuses('https://a.example/', { excludePaths: ['x', pattern] })).toThrow(/excludePaths\[1\]/)
  })
})
