import { describe, expect, it } from 'vitest'
import { receiverBreaker } from './receiver-breaker.ts'

describe('a receiver', () => {
  it('that did not answer three times in a row gets one delivery at a time, for less time', () => {
    const breaker = receiverBreaker()
    for (const isSilent of [true, true, false, true, true]) breaker.note('a', { isSilent })
    const usual = breaker.limitsOf('a')
    breaker.note('a', { isSilent: true })
    const wary = breaker.limitsOf('a')
    expect(wary.atOnce).toBe(1)
    expect(wary.patience).toBeLessThan(usual.patience)
    expect(breaker.limitsOf('b')).toEqual(usual)
  })

  it('that answers again is trusted again', () => {
    const breaker = receiverBreaker()
    const usual = breaker.limitsOf('a')
    for (let count = 0; count < 5; count += 1) breaker.note('a', { isSilent: true })
    breaker.note('a', { isSilent: false })
    expect(breaker.limitsOf('a')).toEqual(usual)
  })
})
