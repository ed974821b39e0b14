import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createLoadLimiter, type Load, nextAllowed } from './load-limiter.ts'

const calm = { delay: 1, utilization: 0.9, hasCallers: false, active: 10 }
const limits = { capacity: 64, start: 8 }
const next = (changes: object) => nextAllowed(10, limits, { ...calm, ...changes })

describe('how many background jobs may run', () => {
  it('is one more while the loop is responsive and all that may run do', () => {
    expect(next({})).toBe(11)
    expect(next({ active: 9 })).toBe(10)
    expect(nextAllowed(64, limits, { ...calm, active: 64 })).toBe(64)
  })

  it('is half as many when the loop is late, and never none', () => {
    expect(next({ delay: 100 })).toBe(5)
    // Of those that run: what was allowed and not used is no reason for the delay.
    expect(next({ delay: 100, active: 4 })).toBe(2)
    expect(nextAllowed(1, limits, { ...calm, delay: 100, active: 1 })).toBe(1)
  })

  it('is fewer sooner while somebody waits for an answer', () => {
    expect(next({ delay: 12 })).toBe(11)
    expect(next({ delay: 12, hasCallers: true })).toBe(5)
  })

  it('stays where others are the cause', () => {
    expect(next({ delay: 100, active: 0 })).toBe(10)
    expect(next({ delay: 100, utilization: 0.1 })).toBe(11)
  })
})

describe('nextAllowed without an active job', () => {
  it('rises to the start, also while the loop is late', () => {
    const idle = { ...calm, active: 0 }
    expect([1, 7, 8].map((allowed) => nextAllowed(allowed, limits, idle))).toEqual([2, 8, 8])
    expect(nextAllowed(1, limits, { ...idle, delay: 100 })).toBe(2)
    expect(nextAllowed(1, { capacity: 4, start: 1 }, idle)).toBe(1)
  })
})

let load: Load | undefined
afterEach(() => load?.stop())

describe('giving way', () => {
  const start = () => {
    load = createLoadLimiter({ capacity: 64, start: 8 })
    return load
  }

  it('takes one turn of the loop where nobody waits', async () => {
    const { giveWay } = start()
    let isOver = false
    void giveWay().then(() => {
      isOver = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.resolve()
    await sleep(1)
    expect(isOver).toBe(true)
  })

  it('lets a call pass that somebody waits for', async () => {
    const { giveWay, callBegan } = start()
    const ended = callBegan()
    const order: string[] = []
    const passed = giveWay().then(() => order.push('background'))
    await sleep(10)
    order.push('call')
    ended()
    await passed
    expect(order).toEqual(['call', 'background'])
  })

  it('does not wait for a call without end', async () => {
    const { giveWay, callBegan } = start()
    callBegan()
    await giveWay()
  })

  it('notifies the runner of background jobs when there is room for more', async () => {
    const { watch, allowed, jobBegan } = start()
    let heard = 0
    watch({ active: () => 64, onRoom: () => heard++ })
    jobBegan()
    // On a machine with much to do, fewer are allowed before there are more.
    await expect.poll(allowed, { timeout: 20_000 }).toBeGreaterThan(8)
    expect(heard).toBeGreaterThan(0)
  })

  it('rises to the start again when no background job is active any more', async () => {
    const { watch, allowed, jobBegan } = start()
    let active = 2
    let heard = 0
    watch({ active: () => active, onRoom: () => heard++ })
    jobBegan()
    // Keeps the event loop busy for longer than a job may.
    const busy = setInterval(() => {
      const end = performance.now() + 60
      while (performance.now() < end);
    }, 1)
    await expect.poll(allowed, { timeout: 20_000 }).toBe(1)
    clearInterval(busy)
    active = 0
    heard = 0
    await expect.poll(allowed, { timeout: 20_000 }).toBe(8)
    expect(heard).toBeGreaterThan(0)
  })

  it('is not measured while no background job runs, and again when one begins', async () => {
    const { watch, jobBegan } = start()
    let active = 1
    let asked = 0
    const count = () => {
      asked++
      return active
    }
    watch({ active: count, onRoom: () => {} })
    jobBegan()
    await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(1)
    active = 0
    const countWhileAsleep = async () => {
      const before = asked
      await sleep(200)
      return asked - before
    }
    await expect.poll(countWhileAsleep, { timeout: 20_000 }).toBe(0)
    const before = asked
    active = 1
    jobBegan()
    await expect.poll(() => asked, { timeout: 20_000 }).toBeGreaterThan(before)
  })
})
