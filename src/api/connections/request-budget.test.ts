import { describe, expect, it } from 'vitest'
import type { AppError } from '../../platform/errors.ts'
import { RequestBudget } from './request-budget.ts'

const limits = { maxBytes: 100, stallMs: 60_000 }

/** A budget, and the bodies that it refused, in order. */
function scene(changes: Partial<typeof limits> = {}) {
  const budget = new RequestBudget({ ...limits, ...changes })
  const refused: [string, AppError][] = []
  const open = (owner: string, name = owner) =>
    budget.open(owner, (error) => void refused.push([name, error]))
  return { budget, open, refused, names: () => refused.map(([name]) => name) }
}

describe('the budget of request bodies', () => {
  it('gives half of it to one team, and names the setting in the refusal', () => {
    const { budget, open, refused } = scene()
    open('team a').add(30)
    open('team a').add(21)
    expect(refused).toMatchObject([['team a', { code: 'TOO_MANY_UNFINISHED_REQUESTS' }]])
    expect(refused[0]?.[1].message).toContain('MAX_UNFINISHED_MB')
    expect(refused[0]?.[1].detail).toMatchObject({ bound: 'MAX_UNFINISHED_MB', retryAfter: 5 })
    expect(budget.counts()).toEqual({ bytes: 30, bodies: 1 })
  })

  it('takes room for a small team from the slowest body of the largest', () => {
    const { budget, open, names } = scene()
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

  it('refuses the newcomer if no other owner holds more', () => {
    const { open, names } = scene()
    open('team a').add(50)
    open('team b').add(50)
    const waits = open('team c')
    waits.add(50)
    expect(names()).toEqual(['team c'])
  })

  it('lets uploads of one team wait for each other, in order', async () => {
    const { open, budget } = scene()
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

  it('counts an upload that is complete by its size, until it is released', async () => {
    const { open, budget } = scene()
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

  it('forgets an upload whose caller leaves while it waits', async () => {
    const { open, budget } = scene()
    const [first, second] = [open('team a'), open('team a')]
    await first.reserve(50)
    const wait = second.reserve(50)
    second.release()
    await expect(wait).rejects.toMatchObject({ code: 'MALFORMED_REQUEST' })
    first.release()
    expect(budget.counts()).toEqual({ bytes: 0, bodies: 0 })
  })

  it('refuses bodies that stand still and uploads that waited too long, not complete ones', async () => {
    const { open, budget, refused } = scene({ stallMs: 0 })
    const complete = open('team a', 'complete')
    await complete.reserve(50)
    complete.complete()
    await open('team b').reserve(50)
    const wait = open('team b', 'waiting').reserve(50)
    budget.refuseSlow()
    await expect(wait).rejects.toMatchObject({ code: 'TOO_MANY_UNFINISHED_REQUESTS' })
    expect(refused.map(([, { code }]) => code).sort()).toEqual([
      'REQUEST_TIMEOUT',
      'TOO_MANY_UNFINISHED_REQUESTS',
    ])
    expect(budget.counts().bodies).toBe(1)
  })

  it('returns to zero after any order of events', () => {
    // A fixed sequence of pseudo-random numbers: the same in every run.
    let seed = 7
    const below = (bound: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return Math.floor((seed / 2147483648) * bound)
    }
    const { open, budget } = scene()
    const bodies = Array.from({ length: 300 }, () => open(`team ${below(5)}`))
    const reserved = new Set<unknown>()
    for (let step = 0; step < 5000; step += 1) {
      const body = bodies[below(bodies.length)]
      const deed = below(5)
      if (deed === 0 && !reserved.has(body)) body?.reserve(below(60)).catch(() => undefined)
      else if (deed === 1) body?.complete()
      else if (deed === 2) body?.release()
      else body?.add(below(20))
      reserved.add(deed === 0 ? body : undefined)
      const { bytes } = budget.counts()
      if (bytes < 0 || bytes > limits.maxBytes) throw new Error(`${bytes} bytes after ${step} steps`)
    }
    for (const body of bodies) body.release()
    expect(budget.counts()).toEqual({ bytes: 0, bodies: 0 })
  })
})
