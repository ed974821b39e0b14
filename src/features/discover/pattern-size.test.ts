import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { bounds } from '../../base/bounds.ts'
import { patternBudget } from './pattern-budget.ts'
import { patternSize } from './pattern-size.ts'

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
