import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ResourceOptions, SharedResource } from './shared-resource.ts'

interface Fake {
  isEnded: boolean
  users: number
}

/** Resources that count their starts and ends, and note each rule that their owner breaks. */
function scene(changes: Partial<ResourceOptions<Fake>> = {}) {
  const started: Fake[] = []
  const broken: string[] = []
  let isStopping = false
  const options: ResourceOptions<Fake> = {
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
    if (Math.random() < 0.1) shared.lose(resource)
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

describe('a shared resource under races', () => {
  it.each([
    ['replaced after two users', { maxUses: 2 }],
    ['replaced after one user', { maxUses: 1 }],
    ['found spent at any moment', { isSpent: () => Math.random() < 0.3 }],
    ['ended as soon as it is idle', { idleMs: 0 }],
  ])('that is %s never leaks and is never ended in use', async (_, changes) => {
    for (let round = 0; round < 25; round += 1) {
      const { started, broken, use, stop } = scene(changes)
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

  it('is ended everywhere by a stop at any moment, and later callers are refused', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { started, broken, use, stop, shared } = scene({ maxUses: 2 })
      const users = Array.from({ length: 12 }, () =>
        sleep(Math.random() * 5).then(() => use(Math.random() * 5)),
      )
      const settled = Promise.allSettled(users)
      await sleep(Math.random() * 8)
      await stop()
      expect(started.filter(({ isEnded }) => !isEnded)).toEqual([])
      await expect(shared.acquire()).rejects.toThrow('stopped')
      const failed = (await settled).filter((each) => each.status === 'rejected')
      expect(failed.filter(({ reason }) => reason.message !== 'stopped')).toEqual([])
      expect(broken.filter((text) => text === 'ended twice')).toEqual([])
      expect(started.filter(({ isEnded }) => !isEnded)).toEqual([])
    }
  })

  it('is ended everywhere by endAll at any moment, and later callers get another one', async () => {
    for (let round = 0; round < 25; round += 1) {
      const { started, broken, use, stop, shared } = scene({ maxUses: 2 })
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

  it('lets all waiting callers know a failed start, and starts again for the next one', async () => {
    let failures = 1
    const { shared, stop } = scene({
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

  it('is ended at once by its last user, and by no earlier one, if it may not be idle', async () => {
    const { shared, started, stop } = scene({ idleMs: 0 })
    const [one, two] = await Promise.all([shared.acquire(), shared.acquire()])
    one.release()
    expect(started.map(({ isEnded }) => isEnded)).toEqual([false])
    two.release()
    expect(started.map(({ isEnded }) => isEnded)).toEqual([true])
    await stop()
  })

  it('calls onBusy for the first user and its undo after the last one', async () => {
    const calls: string[] = []
    const onBusy = () => {
      calls.push('busy')
      return () => void calls.push('idle')
    }
    const { shared, stop } = scene({ onBusy })
    const [one, two] = await Promise.all([shared.acquire(), shared.acquire()])
    one.release()
    expect(calls).toEqual(['busy'])
    two.release()
    expect(calls).toEqual(['busy', 'idle'])
    await stop()
  })
})
