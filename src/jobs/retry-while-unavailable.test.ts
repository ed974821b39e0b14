import { describe, expect, it } from 'vitest'
import { AppError } from '../platform/errors.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

describe('retryWhileUnavailable', () => {
  it('succeeds when the store is available again', async () => {
    let tries = 0
    const work = async () => {
      tries += 1
      if (tries < 3) throw new AppError('STORE_UNAVAILABLE')
      return 'done'
    }
    expect(await retryWhileUnavailable(work, 10_000)).toBe('done')
    expect(tries).toBe(3)
  })

  it('throws when the time is over', async () => {
    const work = () => Promise.reject(new AppError('STORE_UNAVAILABLE'))
    await expect(retryWhileUnavailable(work, 50)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })

  it('does not retry other errors', async () => {
    let tries = 0
    const work = async () => {
      tries += 1
      throw new Error('a bug')
    }
    await expect(retryWhileUnavailable(work, 10_000)).rejects.toThrow('a bug')
    expect(tries).toBe(1)
  })
})
