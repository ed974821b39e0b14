import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  type ActiveDelivery,
  createCircuitBreaker,
  createDeliverySlots,
  type DeliverySlots,
  type Destination,
} from './delivery-slots.ts'

const to = (changes: Partial<Destination> = {}): Destination => ({
  ...{ teamId: 'team', jobId: 'job', url: 'https://a.example/hook' },
  ...changes,
})

/** Begins as many deliveries as there are permits. The test ends them. */
async function fill(rooms: DeliverySlots, destination: Destination) {
  const underWay: (ActiveDelivery & { end(): Promise<void> })[] = []
  const hasRoom = await rooms.use(destination, async ({ count, send }) => {
    for (let index = 0; index < count; index += 1) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const end = async () => {
        resolve()
        await nextTurn()
      }
      void send((delivery) => {
        underWay.push({ ...delivery, end })
        return promise
      })
    }
  })
  return { hasRoom, underWay }
}

describe('room for deliveries', () => {
  it('is four at once for a job, and again when they have ended', async () => {
    const rooms = createDeliverySlots()
    const { underWay } = await fill(rooms, to())
    expect(underWay).toHaveLength(4)
    expect(await fill(rooms, to())).toEqual({ hasRoom: true, underWay: [] })
    for (const delivery of underWay.slice(0, 3)) await delivery.end()
    expect((await fill(rooms, to())).underWay).toHaveLength(3)
  })

  it('is sixteen at once for a receiver of a team, whichever of its jobs they are of', async () => {
    const rooms = createDeliverySlots()
    for (let job = 0; job < 8; job += 1) await fill(rooms, to({ jobId: `job ${job}` }))
    expect(rooms.takenBy('team')).toBe(16)
    expect((await fill(rooms, to({ jobId: 'next', url: 'https://b.example/' }))).underWay).toHaveLength(4)
    expect((await fill(rooms, to({ jobId: 'other', teamId: 'other' }))).underWay).toHaveLength(4)
  })

  it('is said to be none for the team only where its job and its receiver might have more', async () => {
    const rooms = createDeliverySlots()
    for (let job = 0; job < 16; job += 1)
      await fill(rooms, to({ jobId: `${job}`, url: `https://${job}.example/` }))
    expect(rooms.takenBy('team')).toBe(64)
    expect(await fill(rooms, to({ jobId: '0' }))).toEqual({ hasRoom: true, underWay: [] })
    expect(await fill(rooms, to({ jobId: 'next' }))).toEqual({ hasRoom: false, underWay: [] })
    expect((await fill(rooms, to({ teamId: 'other', jobId: 'next' }))).underWay).toHaveLength(1)
  })

  it('is one at a time, with less patience, for a receiver that says nothing', async () => {
    const rooms = createDeliverySlots()
    const { underWay } = await fill(rooms, to())
    for (const { heard, end } of underWay) {
      heard(true)
      await end()
    }
    const [next, ...others] = (await fill(rooms, to())).underWay
    expect([next?.patience, others]).toEqual([3000, []])
    next?.heard(false)
    expect((await fill(rooms, to())).underWay[0]?.patience).toBe(10_000)
  })

  it('is free again after a claim that fails', async () => {
    const rooms = createDeliverySlots()
    const failing = rooms.use(to(), () => Promise.reject(new Error('the store is away')))
    await expect(failing).rejects.toThrow('the store is away')
    expect(rooms.takenBy('team')).toBe(0)
  })
})

describe('a receiver', () => {
  it('that did not answer three times in a row gets one delivery at a time, for less time', () => {
    const breaker = createCircuitBreaker()
    for (const isSilent of [true, true, false, true, true]) breaker.note('a', { isSilent })
    const usual = breaker.limitsOf('a')
    breaker.note('a', { isSilent: true })
    const wary = breaker.limitsOf('a')
    expect(wary.atOnce).toBe(1)
    expect(wary.patience).toBeLessThan(usual.patience)
    expect(breaker.limitsOf('b')).toEqual(usual)
  })

  it('that answers again is trusted again', () => {
    const breaker = createCircuitBreaker()
    const usual = breaker.limitsOf('a')
    for (let count = 0; count < 5; count += 1) breaker.note('a', { isSilent: true })
    breaker.note('a', { isSilent: false })
    expect(breaker.limitsOf('a')).toEqual(usual)
  })
})
