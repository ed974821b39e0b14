import { describe, expect, it } from 'vitest'
import { derivedKey } from './run-once.ts'

describe('the key of a job that a call makes in addition', () => {
  it('is short for every part, since an index of PostgreSQL has no room for a long one', () => {
    const long = derivedKey('key', `https://a.example/?${'q'.repeat(8000)}`) ?? ''
    expect(long.length).toBeLessThan(100)
    expect(long).not.toBe(derivedKey('key', 'https://a.example/'))
    expect(derivedKey(undefined, 'x')).toBeUndefined()
  })
})
