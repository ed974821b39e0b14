import { afterEach, describe, expect, it, vi } from 'vitest'
import { findClockSkew, steadyClock } from './clock.ts'

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

const service = (aheadMs: number) => ({ now: () => Date.now() + aheadMs })
const store = (isShared: boolean, aheadMs = 0) => ({ isShared, time: async () => Date.now() + aheadMs })

describe('a skewed clock', () => {
  it('of the service is named beside the clock of the machine', async () => {
    expect(await findClockSkew(service(-3_600_000), store(false))).toBe(
      'the clock of this service is 3600 s behind the clock of this machine',
    )
  })

  it('of the machine and the service are named beside the clock of the database', async () => {
    expect(await findClockSkew(service(0), store(true, -60_000))).toBe(
      'the clock of this service is 60 s ahead of the clock of the database server; the clock of this machine is 60 s ahead of the clock of the database server',
    )
  })

  it('is not reported for a difference of seconds, or for a database that replies slowly', async () => {
    expect(await findClockSkew(service(4000), store(true))).toBeUndefined()
    let now = 0
    const slow = {
      isShared: false,
      async time() {
        now += 60_000
        return now - 30_000
      },
    }
    expect(await findClockSkew({ now: () => now }, slow)).toBeUndefined()
  })
})
