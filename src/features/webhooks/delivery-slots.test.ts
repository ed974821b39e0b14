import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  type ActiveDelivery,
  createCircuitBreaker,
  createDeliverySlots,
  type DeliverySlots,
  type Destination,
} from './delivery-slots.ts'

const destinationOf = (changes: Partial<Destination> = {}): Destination => ({
  ...{ teamId: 'team', jobId: 'job', url: 'https://a.example/hook' },
  ...changes,
})

/** Starts as many deliveries as there are permits. The test ends them. */
async function fill(slots: DeliverySlots, destination: Destination) {
  const inFlight: (ActiveDelivery & { end(): Promise<void> })[] = []
  const hasPermits = await slots.use(destination, async ({ count, send }) => {
    for (let index = 0; index < count; index += 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const end = async () => {
        resolve()
        await nextTurn()
      }
      void send((delivery) => {
        inFlight.push({ ...delivery, end })
        return promise
      })
    }
  })
  return { hasRoom: hasPermits, underWay: inFlight }
}

describe('createDeliverySlots', () => {
  it('allows four concurrent deliveries per job, and more after some end', async () => {
    const slots = createDeliverySlots()
    const { underWay } = await fill(slots, destinationOf())
    expect(underWay).toHaveLength(4)
    expect(await fill(slots, destinationOf())).toEqual({ hasRoom: true, underWay: [] })
    for (const delivery of underWay.slice(0, 3)) await delivery.end()
    expect((await fill(slots, destinationOf())).underWay).toHaveLength(3)
  })

  it('allows sixteen concurrent deliveries per receiver of a team, across its jobs', async () => {
    const slots = createDeliverySlots()
    for (let job = 0; job < 8; job += 1) await fill(slots, destinationOf({ jobId: `job ${job}` }))
    expect(slots.inFlightOf('team')).toBe(16)
    expect(
      (await fill(slots, destinationOf({ jobId: 'next', url: 'https://b.example/' }))).underWay,
    ).toHaveLength(4)
    expect((await fill(slots, destinationOf({ jobId: 'other', teamId: 'other' }))).underWay).toHaveLength(4)
  })

  it('returns false only if the team has no permit left but the job and the receiver have', async () => {
    const slots = createDeliverySlots()
    for (let job = 0; job < 16; job += 1)
      await fill(slots, destinationOf({ jobId: `${job}`, url: `https://${job}.example/` }))
    expect(slots.inFlightOf('team')).toBe(64)
    expect(await fill(slots, destinationOf({ jobId: '0' }))).toEqual({ hasRoom: true, underWay: [] })
    expect(await fill(slots, destinationOf({ jobId: 'next' }))).toEqual({ hasRoom: false, underWay: [] })
    expect((await fill(slots, destinationOf({ teamId: 'other', jobId: 'next' }))).underWay).toHaveLength(1)
  })

  it('allows one delivery with a shorter timeout for an unresponsive receiver', async () => {
    const slots = createDeliverySlots()
    const { underWay } = await fill(slots, destinationOf())
    for (const { recordTimeout, end } of underWay) {
      recordTimeout(true)
      await end()
    }
    const [next, ...others] = (await fill(slots, destinationOf())).underWay
    expect([next?.timeoutMs, others]).toEqual([3000, []])
    next?.recordTimeout(false)
    expect((await fill(slots, destinationOf())).underWay[0]?.timeoutMs).toBe(10_000)
  })

  it('releases permits after a claim fails', async () => {
    const slots = createDeliverySlots()
    const failingClaim = slots.use(destinationOf(), () => Promise.reject(new Error('the store is away')))
    await expect(failingClaim).rejects.toThrow('the store is away')
    expect(slots.inFlightOf('team')).toBe(0)
  })
})

describe('createCircuitBreaker', () => {
  it('limits a receiver to one delivery and a shorter timeout after three consecutive timeouts', () => {
    const breaker = createCircuitBreaker()
    for (const isTimeout of [true, true, false, true, true]) breaker.note('a', { isTimeout })
    const normal = breaker.limitsOf('a')
    breaker.note('a', { isTimeout: true })
    const reduced = breaker.limitsOf('a')
    expect(reduced.maxConcurrent).toBe(1)
    expect(reduced.timeoutMs).toBeLessThan(normal.timeoutMs)
    expect(breaker.limitsOf('b')).toEqual(normal)
  })

  it('resets the limits when the receiver responds', () => {
    const breaker = createCircuitBreaker()
    const normal = breaker.limitsOf('a')
    for (let count = 0; count < 5; count += 1) breaker.note('a', { isTimeout: true })
    breaker.note('a', { isTimeout: false })
    expect(breaker.limitsOf('a')).toEqual(normal)
  })
})
