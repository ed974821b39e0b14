import { describe, expect, it } from 'vitest'
import type { AppError } from '../../platform/errors.ts'
import { RequestBudget } from './request-budget.ts'

const limits = { maxBytes: 100, stallMs: 60_000 }

/** Creates a budget and records the bodies that it rejects, in order. */
function createBudget(changes: Partial<typeof limits> = {}) {
  const budget = new RequestBudget({ ...limits, ...changes })
  const rejected: [string, AppError][] = []
  const open = (owner: string, name = owner) =>
    budget.open(owner, (error) => void rejected.push([name, error]))
  return { budget, open, refused: rejected, names: () => rejected.map(([name]) => name) }
}

describe('RequestBudget', () => {
  it('limits one team to half and names the setting in the error', () => {
    const { budget, open, refused } = createBudget()
    open('team a').add(30)
    open('team a').add(21)
    expect(refused).toMatchObject([['team a', { code: 'TOO_MANY_UNFINISHED_REQUESTS' }]])
    expect(refused[0]?.[1].message).toContain('MAX_UNFINISHED_MB')
    expect(refused[0]?.[1].detail).toMatchObject({ bound: 'MAX_UNFINISHED_MB', retryAfter: 5 })
    expect(budget.counts()).toEqual({ bytes: 30, bodies: 1 })
  })

  it('rejects the slowest body of the largest team to free capacity for a small one', () => {
    const { budget, open, names } = createBudget()
    open('team a', 'a fast').add(40)
    open('team a', 'a slow').add(5)
    open('team b', 'b').add(50)
    open('team c', 'c').add(5)
    expect(names()).toEqual([])
    open('team c', 'c again').add(1)
    expect(names()).toEqual(['b'])
    open('team c', 'c a third time').add(44)
    expect(names()).toEqual(['b'])
    expect(budget.counts().bytes).toBe(95)
  })

  it('rejects the newcomer if no other owner holds more', () => {
    const { open, names } = createBudget()
    open('team a').add(50)
    open('team b').add(50)
    const newcomer = open('team c')
    newcomer.add(50)
    expect(names()).toEqual(['team c'])
  })

  it('queues uploads of one team in order', async () => {
    const { open, budget } = createBudget()
    const [first, second, third] = [open('team a'), open('team a'), open('team a')]
    await first.reserve(40)
    const order: string[] = []
    const waits = [
      second.reserve(40).then(() => order.push('second')),
      third.reserve(5).then(() => order.push('third')),
    ]
    await open('team b').reserve(40)
    expect(order).toEqual([])
    first.release()
    await Promise.all(waits)
    expect(order).toEqual(['second', 'third'])
    expect(budget.counts()).toEqual({ bytes: 85, bodies: 3 })
  })

  it('counts a complete upload by its size until it is released', async () => {
    const { open, budget } = createBudget()
    const body = open('team a')
    await body.reserve(50)
    body.add(10)
    body.complete()
    expect(budget.counts()).toEqual({ bytes: 10, bodies: 1 })
    body.release()
    body.release()
    body.add(10)
    expect(budget.counts()).toEqual({ bytes: 0, bodies: 0 })
  })

  it('removes a waiting upload whose client disconnects', async () => {
    const { open, budget } = createBudget()
    const [first, second] = [open('team a'), open('team a')]
    await first.reserve(50)
    const reservation = second.reserve(50)
    second.release()
    await expect(reservation).rejects.toMatchObject({ code: 'MALFORMED_REQUEST' })
    first.release()
    expect(budget.counts()).toEqual({ bytes: 0, bodies: 0 })
  })

  it('rejects stalled bodies and uploads that waited too long, but not complete ones', async () => {
    const { open, budget, refused } = createBudget({ stallMs: 0 })
    const complete = open('team a', 'complete')
    await complete.reserve(50)
    complete.complete()
    await open('team b').reserve(50)
    const reservation = open('team b', 'waiting').reserve(50)
    budget.rejectSlow()
    await expect(reservation).rejects.toMatchObject({ code: 'TOO_MANY_UNFINISHED_REQUESTS' })
    expect(refused.map(([, { code }]) => code).sort()).toEqual([
      'REQUEST_TIMEOUT',
      'TOO_MANY_UNFINISHED_REQUESTS',
    ])
    expect(budget.counts().bodies).toBe(1)
  })

  it('returns to zero after any sequence of events', () => {
    // Pseudo-random numbers with a fixed seed, so that every run is identical.
    let seed = 7
    const randomBelow = (bound: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * bound)
    }
    const { open, budget } = createBudget()
    const bodies = Array.from({ length: 300 }, () => open(`team ${randomBelow(5)}`))
    const reserved = new Set<unknown>()
    for (let step = 0; step < 5000; step += 1) {
      const body = bodies[randomBelow(bodies.length)]
      const action = randomBelow(5)
      if (action === 0 && !reserved.has(body)) body?.reserve(randomBelow(60)).catch(() => undefined)
      else if (action === 1) body?.complete()
      else if (action === 2) body?.release()
      else body?.add(randomBelow(20))
      reserved.add(action === 0 ? body : undefined)
      const { bytes } = budget.counts()
      if (bytes < 0 || bytes > limits.maxBytes) throw new Error(`${bytes} bytes after ${step} steps`)
    }
    for (const body of bodies) body.release()
    expect(budget.counts()).toEqual({ bytes: 0, bodies: 0 })
  })
})
