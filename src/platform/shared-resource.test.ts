import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ResourceOptions, SharedResource } from './shared-resource.ts'

interface FakeResource {
  isEnded: boolean
  users: number
}

/** Creates a shared resource that lists its starts, and each violation of its contract. */
function setup(changes: Partial<ResourceOptions<FakeResource>> = {}) {
  const started: FakeResource[] = []
  const broken: string[] = []
  let isStopping = false
  const options: ResourceOptions<FakeResource> = {
    async start() {
      await sleep(Math.random() * 3)
      const fake = { isEnded: false, users: 0 }
      started.push(fake)
      return fake
    },
    async end(fake) {
      if (fake.isEnded) broken.push('ended twice')
      if (fake.users > 0 && !isStopping) broken.push('ended while in use')
      fake.isEnded = true
      await sleep(Math.random() * 2)
    },
    idleMs: 2,
    stopped: () => new Error('stopped'),
    ...changes,
  }
  const shared = new SharedResource(options)
  const use = async (ms: number, isAlone = false) => {
    const { resource, release, retire } = await (isAlone ? shared.acquireAlone() : shared.acquire())
    if (resource.isEnded) broken.push('handed out after its end')
    resource.users += 1
    await sleep(ms)
    if (Math.random() < 0.1) shared.markLost(resource)
    if (Math.random() < 0.1) retire()
    resource.users -= 1
    release()
    release()
  }
  const stop = () => {
    isStopping = true
    return shared.stop()
  }
  return { shared, started, broken, use, stop }
}

describe('SharedResource under races', () => {
  it.each([
    ['replaced after two users', { maxUses: 2 }],
    ['replaced after one user', { maxUses: 1 }],
    ['found spent at any moment', { shouldReplace: () => Math.random() < 0.3 }],
    ['ended as soon as it is idle', { idleMs: 0 }],
  ])('neither leaks a resource nor ends one in use if it is %s', async (_, changes) => {
    for (let round = 0; round < 25; round += 1) {
      const { started, broken, use, stop } = setup(changes)
      const users = Array.from({ length: 12 }, async (_, index) => {
        await sleep(Math.random() * 5)
        await use(Math.random() * 5, index % 6 === 0)
      })
      await Promise.all(users)
      await stop()
      expect(broken).toEqual([])
      expect(started.filter(({ isEnded }) => !isEnded)).toEqual([])
    }
  })

  it('ends all resources on a stop at any moment, and rejects later callers', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { started, broken, use, stop, shared } = setup({ maxUses: 2 })
      const users = Array.from({ length: 12 }, () =>
        sleep(Math.random() * 5).then(() => use(Math.random() * 5)),
      )
      const settled = Promise.allSettled(users)
      await sleep(Math.random() * 8)
      await stop()
      expect(started.filter(({ isEnded }) => !isEnded)).toEqual([])
      await expect(shared.acquire()).rejects.toThrow('stopped')
      const failed = (await settled).filter((result) => result.status === 'rejected')
      expect(failed.filter(({ reason }) => reason.message !== 'stopped')).toEqual([])
      expect(broken.filter((text) => text === 'ended twice')).toEqual([])
      expect(started.filter(({ isEnded }) => !isEnded)).toEqual([])
    }
  })

  it('ends all resources on endAll at any moment, and later callers get another one', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { started, broken, use, stop, shared } = setup({ maxUses: 2 })
      const users = Array.from({ length: 12 }, () =>
        sleep(Math.random() * 5).then(() => use(Math.random() * 5)),
      )
      const settled = Promise.all(users)
      await sleep(Math.random() * 8)
      const before = [...started]
      await shared.endAll()
      expect(before.filter(({ isEnded }) => !isEnded)).toEqual([])
      await settled
      const lease = await shared.acquire()
      expect(lease.resource.isEnded).toBe(false)
      lease.release()
      await stop()
      expect(broken.filter((text) => text === 'ended twice')).toEqual([])
      expect(started.filter(({ isEnded }) => !isEnded)).toEqual([])
    }
  })

  it('rejects all waiting callers after a failed start, and starts again for the next caller', async () => {
    let failures = 1
    const { shared, stop } = setup({
      async start() {
        await sleep(1)
        failures -= 1
        if (failures >= 0) throw new Error('no memory')
        return { isEnded: false, users: 0 }
      },
    })
    const first = await Promise.allSettled([shared.acquire(), shared.acquire(), shared.acquire()])
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    const lease = await shared.acquire()
    expect(lease.resource.isEnded).toBe(false)
    lease.release()
    await stop()
  })

  it('ends a resource with idleMs 0 when its last user releases it, not earlier', async () => {
    const { shared, started, stop } = setup({ idleMs: 0 })
    const [firstLease, secondLease] = await Promise.all([shared.acquire(), shared.acquire()])
    firstLease.release()
    expect(started.map(({ isEnded }) => isEnded)).toEqual([false])
    secondLease.release()
    expect(started.map(({ isEnded }) => isEnded)).toEqual([true])
    await stop()
  })

  it('calls onBusy for the first user, and the returned function after the last user', async () => {
    const calls: string[] = []
    const onBusy = () => {
      calls.push('busy')
      return () => void calls.push('idle')
    }
    const { shared, stop } = setup({ onBusy })
    const [firstLease, secondLease] = await Promise.all([shared.acquire(), shared.acquire()])
    firstLease.release()
    expect(calls).toEqual(['busy'])
    secondLease.release()
    expect(calls).toEqual(['busy', 'idle'])
    await stop()
  })
})
