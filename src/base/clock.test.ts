import { afterEach, describe, expect, it, vi } from 'vitest'
import { steadyClock } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('a steady clock', () => {
  it('takes the time of its reference, then nears it by a second at a time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const clock = steadyClock()
    let reference = Date.now() + 5000
    const stop = await clock.follow(
      async () => reference,
      () => {},
    )
    expect(clock.now() - reference).toBeLessThan(1000)
    reference += 120_000
    const before = clock.now()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(Math.round((clock.now() - before) / 1000)).toBe(1)
    stop()
  })

  it('does not take the time that an answer needs for a difference', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const clock = steadyClock()
    let takesMs = 0
    const reference = async () => {
      const read = clock.now()
      await new Promise((resolve) => setTimeout(resolve, takesMs))
      return read
    }
    await clock.follow(reference, () => {})
    const apart = clock.now() - performance.now()
    takesMs = 300
    await vi.advanceTimersByTimeAsync(60_000)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(Math.abs(clock.now() - performance.now() - apart)).toBeLessThan(50)
  })

  it('goes on by itself where the reference does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const clock = steadyClock()
    const causes: unknown[] = []
    let isThere = true
    await clock.follow(
      async () => {
        if (!isThere) throw new Error('away')
        return 1000
      },
      (cause) => causes.push(cause),
    )
    isThere = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(causes).toHaveLength(1)
    expect(clock.now()).toBeGreaterThanOrEqual(1000)
  })
})
