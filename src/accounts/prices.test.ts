import { describe, expect, it } from 'vitest'
import { sessionPrice } from './prices.ts'

describe('the price of a session', () => {
  it.each([
    [0, false, 2],
    [60_000, false, 2],
    [60_001, false, 3],
    [600_000, false, 20],
    [3_600_000, false, 120],
    [1000, true, 7],
    [60_000, true, 7],
    [68_500, true, 8],
    [3_600_000, true, 420],
  ])('of %i ms, with a prompt %s, is %i credits', (ms, usedPrompt, credits) => {
    expect(sessionPrice({ ms, usedPrompt })).toBe(credits)
  })
})
