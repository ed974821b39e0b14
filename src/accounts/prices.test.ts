import { describe, expect, it } from 'vitest'
import { documentPrice, scrapePrice, sessionPrice } from './prices.ts'

describe('sessionPrice', () => {
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

describe('price of redaction', () => {
  const page = { zeroRetention: false, lockdown: 'off' as const, isEnhanced: false, surcharge: 0, pages: 0 }
  it.each([
    [{ isRedacted: false }, 1],
    [{ isRedacted: true }, 5],
    [{ isRedacted: true, pages: 3 }, 15],
    [{ isRedacted: true, isEnhanced: true, zeroRetention: true, surcharge: 4 }, 14],
    [{ isRedacted: true, lockdown: 'hit' as const }, 5],
  ])('of a page with %j is in its %i credits', (facts, credits) => {
    expect(scrapePrice({ ...page, ...facts })).toBe(credits)
  })

  it('costs 4 credits for each page of a file', () => {
    expect(documentPrice({ pages: 3, zeroRetention: false, isRedacted: true, surcharge: 0 })).toBe(15)
    expect(documentPrice({ pages: 0, zeroRetention: true, isRedacted: true, surcharge: 0 })).toBe(6)
  })
})
