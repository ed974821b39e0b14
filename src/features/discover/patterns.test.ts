import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { bounds } from '../../platform/bounds.ts'
import { checkPatterns, compilePatterns, patternBudget, patternList, patternSize } from './patterns.ts'

const findRefusal = async (url: string, options: Partial<Parameters<typeof compilePatterns>[0]>) => {
  const patterns = { includePaths: [], excludePaths: [], regexOnFullURL: false, ...options }
  return (await compilePatterns(patterns)).exclusionReason(new URL(url))
}

describe('include and exclude patterns', () => {
  it('accept every URL if there are none', async () => {
    expect(await findRefusal('https://a.example/x', {})).toBeUndefined()
  })

  it.each([['^/blog/.*'], ['^blog/.*'], ['blog/']])(
    'match the path with and without its leading slash: %s',
    async (pattern) => {
      expect(await findRefusal('https://a.example/blog/1', { includePaths: [pattern] })).toBeUndefined()
      expect(await findRefusal('https://a.example/shop/1', { includePaths: [pattern] })).toBe('include paths')
    },
  )

  it('exclude a URL that is also included', async () => {
    const options = { includePaths: ['^/blog/'], excludePaths: ['/tag/'] }
    expect(await findRefusal('https://a.example/blog/tag/x', options)).toBe('exclude paths')
  })

  it('match the full URL only with regexOnFullURL', async () => {
    const options = { includePaths: ['page=2'] }
    expect(await findRefusal('https://a.example/x?page=2', options)).toBe('include paths')
    expect(
      await findRefusal('https://a.example/x?page=2', { ...options, regexOnFullURL: true }),
    ).toBeUndefined()
  })

  it.each([['(a+)+$'], ['(a|a)*b$'], ['(.*)*x$'], ['(([a-z]+)*)*[0-9]$']])(
    'match %s in linear time',
    async (pattern) => {
      const url = `https://a.example/${'a'.repeat(8000)}!`
      expect(await findRefusal(url, { includePaths: [pattern] })).toBe('include paths')
    },
  )

  it.each([
    ['(', 'missing closing'],
    ['[z-a]', 'range'],
    ['(?=a)', 'look-around'],
    ['(a)\\1', 'back-references'],
    ['a{1001}', 'repeat count'],
  ])('throw an error that explains why %s is invalid', async (pattern, reason) => {
    const refused = checkPatterns({ excludePaths: ['x', pattern] })
    await expect(refused).rejects.toThrow(/^excludePaths\[1\]: /)
    await expect(refused).rejects.toThrow(reason)
  })
})

describe('patternSize', () => {
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
  ])('returns for %s the size %i', (pattern, size) => {
    expect(patternSize(pattern)).toBe(size)
  })

  it.each([
    ...['a{1000}'.repeat(100), '(?:abcdefghij){1000}', '((a{10}){10}){10}', '(?i)[a-z]{900}x{900}y{900}'],
    ...['\\Q[\\Ea{1000}b{1000}c{1000}]', '[[:alpha:]]{1000}b{1000}c{1000}', '(?P<n>a{1000})b{1000}c{1000}'],
    ...['(a|b{1000}|c{1000}){1}d{1000}', '(?:a?){1000}(?:b?){1000}', '\\pL{1000}\\pN{1000}'],
  ])('returns for %s at least a third of the program size', (pattern) => {
    const programSize = RE2JS.compile(pattern).programSize()
    expect(patternSize(pattern)).toBeGreaterThan(Math.min(programSize / 3, bounds.MAX_PATTERN_SIZE.most))
  })
})

it('rejects long character classes, each of which takes the engine a millisecond', () => {
  const characters = Array.from({ length: 1990 }, (_, index) => String.fromCharCode(0x4e00 + 2 * index)).join(
    '',
  )
  const patterns = Array.from({ length: bounds.MAX_PATTERNS.most }, (_, index) => `[${characters}]${index}`)
  expect(patternList.safeParse(patterns).error?.message).toContain('MAX_PATTERNS_SIZE')
  expect(patternList.safeParse(patterns.slice(0, 30)).success).toBe(true)
})

describe('patternBudget', () => {
  it('throws after ten slow URLs', () => {
    let now = 0
    const budget = patternBudget(() => now)
    const slow = () => budget.spend(() => (now += 100))
    for (let index = 0; index < 10; index += 1) slow()
    expect(slow).toThrow('MAX_PATTERN_MS')
  })

  it('accepts a slow URL once in a hundred', () => {
    let now = 0
    const budget = patternBudget(() => now)
    for (let index = 0; index < 1000; index += 1) budget.spend(() => (now += index % 100 === 0 ? 1500 : 1))
    expect(now).toBe(15_990)
  })
})
