import { describe, expect, it } from 'vitest'
import { proceed } from './now-or-later.ts'

describe('a value that may come later', () => {
  it('is continued at once where it is there', () => {
    expect(proceed(2, (value) => value + 1)).toBe(3)
  })

  it('is continued when it comes', async () => {
    const next = proceed(Promise.resolve(2), (value) => value + 1)
    expect(next).toBeInstanceOf(Promise)
    expect(await next).toBe(3)
  })

  it('fails as its continuation does', async () => {
    const fail = () => {
      throw new Error('on purpose')
    }
    expect(() => proceed(2, fail)).toThrow('on purpose')
    await expect(proceed(Promise.resolve(2), fail)).rejects.toThrow('on purpose')
    await expect(proceed(Promise.reject(new Error('before')), fail)).rejects.toThrow('before')
  })
})
