import { describe, expect, it } from 'vitest'
import { findClockSkew } from './clock-skew.ts'

const service = (aheadMs: number) => ({ now: () => Date.now() + aheadMs })
const store = (isShared: boolean, aheadMs = 0) => ({ isShared, time: async () => Date.now() + aheadMs })

describe('a skewed clock', () => {
  it('of the service is named beside the clock of the machine', async () => {
    expect(await findClockSkew(service(-3_600_000), store(false))).toBe(
      'the clock of this service is 3600 s behind the clock of this machine',
    )
  })

  it('of the machine and the service are named beside the clock of the database', async () => {
    expect(await findClockSkew(service(0), store(true, -60_000))).toBe(
      'the clock of this service is 60 s ahead of the clock of the database server; the clock of this machine is 60 s ahead of the clock of the database server',
    )
  })

  it('is not reported for a difference of seconds, or for a database that replies slowly', async () => {
    expect(await findClockSkew(service(4000), store(true))).toBeUndefined()
    let now = 0
    const slow = {
      isShared: false,
      async time() {
        now += 60_000
        return now - 30_000
      },
    }
    expect(await findClockSkew({ now: () => now }, slow)).toBeUndefined()
  })
})
