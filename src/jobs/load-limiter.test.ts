import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createLoadLimiter, type Load, nextAllowed } from './load-limiter.ts'

const responsive = { delay: 1, utilization: 0.9, hasCallers: false, active: 10 }
const limits = { capacity: 64, start: 8 }
const next = (changes: object) => nextAllowed(10, limits, { ...responsive, ...changes })

describe('nextAllowed with active jobs', () => {
  it('increases by one while the loop is responsive and all allowed jobs run', () => {
    expect(next({})).toBe(11)
    expect(next({ active: 9 })).toBe(10)
    expect(nextAllowed(64, limits, { ...responsive, active: 64 })).toBe(64)
  })

  it('halves when the loop is late, but stays at least one', () => {
    expect(next({ delay: 100 })).toBe(5)
    // Half of the running jobs: allowed jobs that do not run cannot cause the delay.
    expect(next({ delay: 100, active: 4 })).toBe(2)
    expect(nextAllowed(1, limits, { ...responsive, delay: 100, active: 1 })).toBe(1)
  })

  it('decreases at a shorter delay if there are callers', () => {
    expect(next({ delay: 12 })).toBe(11)
    expect(next({ delay: 12, hasCallers: true })).toBe(5)
  })

  it('does not decrease if other processes cause the delay', () => {
    expect(next({ delay: 100, active: 0 })).toBe(10)
    expect(next({ delay: 100, utilization: 0.1 })).toBe(11)
  })
})

describe('nextAllowed without an active job', () => {
  it('rises to the start, even while the loop is late', () => {
    const idle = { ...responsive, active: 0 }
    expect([1, 7, 8].map((allowed) => nextAllowed(allowed, limits, idle))).toEqual([2, 8, 8])
    expect(nextAllowed(1, limits, { ...idle, delay: 100 })).toBe(2)
    expect(nextAllowed(1, { capacity: 4, start: 1 }, idle)).toBe(1)
  })
})

let load: Load | undefined
afterEach(() => load?.stop())

describe('createLoadLimiter', () => {
  const start = () => {
    load = createLoadLimiter({ capacity: 64, start: 8 })
    return load
  }

  it('yields one turn of the event loop without callers', async () => {
    const { yieldToForeground } = start()
    let isOver = false
    void yieldToForeground().then(() => {
      isOver = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    await Promise.resolve()
    await sleep(1)
    expect(isOver).toBe(true)
  })

  it('lets a running call finish before background work', async () => {
    const { yieldToForeground, beginCall } = start()
    const ended = beginCall()
    const order: string[] = []
    const passed = yieldToForeground().then(() => order.push('background'))
    await sleep(10)
    order.push('call')
    ended()
    await passed
    expect(order).toEqual(['call', 'background'])
  })

  it('does not wait indefinitely for a call', async () => {
    const { yieldToForeground, beginCall } = start()
    beginCall()
    await yieldToForeground()
  })

  it('notifies the runner when more background jobs are allowed', async () => {
    const { watch, allowed, beginJob } = start()
    let notifications = 0
    watch({ active: () => 64, onCapacity: () => notifications++ })
    beginJob()
    // A busy machine may reduce the limit before it rises.
    await expect.poll(allowed, { timeout: 20_000 }).toBeGreaterThan(8)
    expect(notifications).toBeGreaterThan(0)
  })

  it('rises to the start again when no background job is active', async () => {
    const { watch, allowed, beginJob } = start()
    let active = 2
    let notifications = 0
    watch({ active: () => active, onCapacity: () => notifications++ })
    beginJob()
    // Blocks the event loop for longer than the threshold.
    const busy = setInterval(() => {
      const end = performance.now() + 60
      while (performance.now() < end);
    }, 1)
    await expect.poll(allowed, { timeout: 20_000 }).toBe(1)
    clearInterval(busy)
    active = 0
    notifications = 0
    await expect.poll(allowed, { timeout: 20_000 }).toBe(8)
    expect(notifications).toBeGreaterThan(0)
  })

  it('stops measuring while no background job runs, and resumes when one starts', async () => {
    const { watch, beginJob } = start()
    let active = 1
    let reads = 0
    const readActive = () => {
      reads++
      return active
    }
    watch({ active: readActive, onCapacity: () => {} })
    beginJob()
    await expect.poll(() => reads, { timeout: 20_000 }).toBeGreaterThan(1)
    active = 0
    const countReadsWhileIdle = async () => {
      const readsBefore = reads
      await sleep(200)
      return reads - readsBefore
    }
    await expect.poll(countReadsWhileIdle, { timeout: 20_000 }).toBe(0)
    const readsBefore = reads
    active = 1
    beginJob()
    await expect.poll(() => reads, { timeout: 20_000 }).toBeGreaterThan(readsBefore)
  })
})
