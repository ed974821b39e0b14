import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSteadyClock, findClockSkew } from './clock.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('steadyClock', () => {
  it('takes the time of its reference, then approaches it by at most a second per minute', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const clock = createSteadyClock()
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

  it('does not treat the duration of a response as a difference', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const clock = createSteadyClock()
    let responseMs = 0
    const reference = async () => {
      const time = clock.now()
      await new Promise((resolve) => setTimeout(resolve, responseMs))
      return time
    }
    await clock.follow(reference, () => {})
    const offset = clock.now() - performance.now()
    responseMs = 300
    await vi.advanceTimersByTimeAsync(60_000)
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(Math.abs(clock.now() - performance.now() - offset)).toBeLessThan(50)
  })

  it('continues and reports the error if the reference fails', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const clock = createSteadyClock()
    const causes: unknown[] = []
    let isReachable = true
    await clock.follow(
      async () => {
        if (!isReachable) throw new Error('away')
        return 1000
      },
      (cause) => causes.push(cause),
    )
    isReachable = false
    await vi.advanceTimersByTimeAsync(60_000)
    expect(causes).toHaveLength(1)
    expect(clock.now()).toBeGreaterThanOrEqual(1000)
  })
})

const service = (aheadMs: number) => ({ now: () => Date.now() + aheadMs })
const store = (isShared: boolean, aheadMs = 0) => ({ isShared, time: async () => Date.now() + aheadMs })

describe('findClockSkew', () => {
  it('compares the service clock with the clock of the machine for a local store', async () => {
    expect(await findClockSkew(service(-3_600_000), store(false))).toBe(
      'the clock of this service is 3600 s behind the clock of this machine',
    )
  })

  it('compares the clocks of service and machine with the clock of the database server for a shared store', async () => {
    expect(await findClockSkew(service(0), store(true, -60_000))).toBe(
      'the clock of this service is 60 s ahead of the clock of the database server; the clock of this machine is 60 s ahead of the clock of the database server',
    )
  })

  it('returns undefined for a difference of seconds and for a slow response of the database', async () => {
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
