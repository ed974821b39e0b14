import { describe, expect, it } from 'vitest'
import { isPublic } from './guard.ts'
import { createOwnEndpoints } from './own-endpoints.ts'

describe('createOwnEndpoints', () => {
  it('drops the listener of an ended process after ten minutes, and keeps one that is registered again', () => {
    let now = 0
    const own = createOwnEndpoints(
      [],
      isPublic,
      async () => [],
      () => now,
    )
    const listener = (port: number) => ({ port, hosts: ['127.0.0.1'], isOnAllInterfaces: false })
    const refusedPorts = () => [4001, 4002].filter((port) => own.rejects('127.0.0.1', 'x', port))
    own.register('ended', listener(4001))
    for (let minute = 0; minute < 20; minute += 1) {
      now += 60_000
      own.register('running', listener(4002))
      if (minute === 5) expect(refusedPorts()).toEqual([4001, 4002])
    }
    expect(refusedPorts()).toEqual([4002])
  })

  it('shares one DNS lookup between concurrent connections, and repeats it after 31 seconds', async () => {
    let [now, lookups] = [0, 0]
    const resolve = async () => {
      lookups += 1
      return ['10.0.0.7']
    }
    const own = createOwnEndpoints([{ host: 'db.example', port: 5432 }], isPublic, resolve, () => now)
    await Promise.all(Array.from({ length: 20 }, () => own.refresh(5432)))
    expect(lookups).toBe(1)
    expect(own.rejects('10.0.0.7', 'x', 5432)).toBe(true)
    now += 31_000
    await Promise.all(Array.from({ length: 20 }, () => own.refresh(5432)))
    expect(lookups).toBe(2)
  })
})
