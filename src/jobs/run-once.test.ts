import { describe, expect, it } from 'vitest'
import { derivedKey } from './run-once.ts'

describe('derivedKey', () => {
  it('is short for a part of 8000 characters', () => {
    const derived = derivedKey('key', `https://a.example/?${'q'.repeat(8000)}`) ?? ''
    expect(derived.length).toBeLessThan(100)
    expect(derived).not.toBe(derivedKey('key', 'https://a.example/'))
    expect(derivedKey(undefined, 'x')).toBeUndefined()
  })
})
