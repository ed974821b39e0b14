import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { bounds } from '../../platform/bounds.ts'
import { checkPatterns, compilePatterns, patternBudget, patternList, patternSize } from './patterns.ts'

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

describe('the size of a pattern', () => {
  it.each([
    ['^/blog/.*', 9],
    ['a{10}', 10],
    ['(?:ab){10}', 40],
    ['(ab{3}){2}c', 13],
    ['[a-z0-9]{5}', 5],
    ['[]a]{5}', 5],
    ['\\d{2,4}', 4],
    ['a{3,}', 3],
    ['\\Qa{9}\\E', 8],
  ])('%s has %i parts', (pattern, size) => {
    expect(patternSize(pattern)).toBe(size)
  })

  it.each([
    ...['a{1000}'.repeat(100), '(?:abcdefghij){1000}', '((a{10}){10}){10}', '(?i)[a-z]{900}x{900}y{900}'],
    ...['\\Q[\\Ea{1000}b{1000}c{1000}]', '[[:alpha:]]{1000}b{1000}c{1000}', '(?P<n>a{1000})b{1000}c{1000}'],
    ...['(a|b{1000}|c{1000}){1}d{1000}', '(?:a?){1000}(?:b?){1000}', '\\pL{1000}\\pN{1000}'],
  ])('%s is not taken for less than the engine makes of it', (pattern) => {
    const made = RE2JS.compile(pattern).programSize()
    expect(patternSize(pattern)).toBeGreaterThan(Math.min(made / 3, bounds.MAX_PATTERN_SIZE.most))
  })
})

it('long classes of characters are counted, because each takes the engine a millisecond', () => {
  const letters = Array.from({ length: 1990 }, (_, index) => String.fromCharCode(0x4e00 + 2 * index)).join('')
  const patterns = Array.from({ length: bounds.MAX_PATTERNS.most }, (_, index) => `[${letters}]${index}`)
  expect(patternList.safeParse(patterns).error?.message).toContain('MAX_PATTERNS_SIZE')
  expect(patternList.safeParse(patterns.slice(0, 30)).success).toBe(true)
})

describe('patterns that take long', () => {
  it('end the job when they have proved to be slow', () => {
    let now = 0
    const budget = patternBudget(() => now)
    const slow = () => budget.spend(() => (now += 100))
    for (let turn = 0; turn < 10; turn += 1) slow()
    expect(slow).toThrow('MAX_PATTERN_MS')
  })

  it('may take their time once in a while', () => {
    let now = 0
    const budget = patternBudget(() => now)
    for (let turn = 0; turn < 1000; turn += 1) budget.spend(() => (now += turn % 100 === 0 ? 1500 : 1))
    expect(now).toBe(15_990)
  })
})
