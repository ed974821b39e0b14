import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { semaphore } from './semaphore.ts'

/** Work that the test ends, and which of it has begun. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name)
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return end.promise
    },
    async end(name: string) {
      ends.get(name)?.resolve(name)
      await nextTurn()
    },
    async fail(name: string) {
      ends.get(name)?.reject(new Error(name))
      await nextTurn()
    },
  }
}

describe('a semaphore', () => {
  it('lets in as many as it has places, and the others in the order they came', async () => {
    const { run } = semaphore(2)
    const { begun, work, end } = works()
    const all = ['a', 'b', 'c', 'd'].map((name) => run(work(name)))
    await nextTurn()
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    await end('a')
    await end('c')
    await end('d')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('gives a place on where the work fails', async () => {
    const { run } = semaphore(1)
    const { begun, work, end, fail } = works()
    const failing = run(work('a'))
    failing.catch(() => undefined)
    const next = run(work('b'))
    await nextTurn()
    await fail('a')
    await expect(failing).rejects.toThrow('a')
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect(await next).toBe('b')
  })

  it('hands a place to the caller that has waited, not to one that comes at that moment', async () => {
    const places = semaphore(1)
    const order: string[] = []
    await places.acquire()
    const waited = places.acquire().then(() => order.push('waited'))
    places.release()
    const late = places.acquire().then(() => order.push('late'))
    await waited
    places.release()
    await late
    expect(order).toEqual(['waited', 'late'])
  })

  it('lets those leave the line at once who are gone, and nobody loses a place by it', async () => {
    const { run } = semaphore(1)
    const { begun, work, end } = works()
    const gone = new AbortController()
    const first = run(work('a'))
    const leaving = run(work('b'), gone.signal)
    const last = run(work('c'))
    const reason = new Error('gone')
    gone.abort(reason)
    await expect(leaving).rejects.toBe(reason)
    await expect(run(work('d'), gone.signal)).rejects.toBe(reason)
    await end('a')
    await end('c')
    await Promise.all([first, last])
    expect(begun).toEqual(['a', 'c'])
  })

  it('keeps a place for work whose signal is given after it began', async () => {
    const { run } = semaphore(1)
    const { begun, work, end } = works()
    const gone = new AbortController()
    const first = run(work('a'), gone.signal)
    const second = run(work('b'))
    await nextTurn()
    gone.abort()
    await nextTurn()
    expect(begun).toEqual(['a'])
    await end('a')
    await first
    await end('b')
    await second
  })
})
