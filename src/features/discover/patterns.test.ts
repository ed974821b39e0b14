import { describe, expect, it } from 'vitest'
import { checkPatterns, compilePatterns } from './patterns.ts'

const refuses = async (url: string, given: Partial<Parameters<typeof compilePatterns>[0]>) => {
  const patterns = { includePaths: [], excludePaths: [], regexOnFullURL: false, ...given }
  return (await compilePatterns(patterns)).refuses(new URL(url))
}

describe('include and exclude patterns', () => {
  it('want everything when there are none', async () => {
    expect(await refuses('https://a.example/x', {})).toBeUndefined()
  })

  it.each([['^/blog/.*'], ['^blog/.*'], ['blog/']])(
    'read the path with and without its first slash: %s',
    async (pattern) => {
      expect(await refuses('https://a.example/blog/1', { includePaths: [pattern] })).toBeUndefined()
      expect(await refuses('https://a.example/shop/1', { includePaths: [pattern] })).toBe('include paths')
    },
  )

  it('exclude what is included', async () => {
    const given = { includePaths: ['^/blog/'], excludePaths: ['/tag/'] }
    expect(await refuses('https://a.example/blog/tag/x', given)).toBe('exclude paths')
  })

  it('see the whole address only when told so', async () => {
    const given = { includePaths: ['page=2'] }
    expect(await refuses('https://a.example/x?page=2', given)).toBe('include paths')
    expect(await refuses('https://a.example/x?page=2', { ...given, regexOnFullURL: true })).toBeUndefined()
  })

  it.each([['(a+)+$'], ['(a|a)*b$'], ['(.*)*x$'], ['(([a-z]+)*)*[0-9]$']])(
    'are not held up by %s',
    async (pattern) => {
      const url = `https://a.example/${'a'.repeat(8000)}!`
      expect(await refuses(url, { includePaths: [pattern] })).toBe('include paths')
    },
  )

  it.each([
    ['(', 'missing closing'],
    ['[z-a]', 'range'],
    ['(?=a)', 'look-around'],
    ['(a)\\1', 'back-references'],
    ['a{1001}', 'repeat count'],
  ])('say what is wrong with %s', async (pattern, reason) => {
    const refused = checkPatterns({ excludePaths: ['x', pattern] })
    await expect(refused).rejects.toThrow(/^excludePaths\[1\]: /)
    await expect(refused).rejects.toThrow(reason)
  })
})
