import { describe, expect, it } from 'vitest'
import { Permits } from '../platform/permits.ts'
import { type OcrPermitRequest, withOcrPermits } from './recogniser-turns.ts'

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

function setUp() {
  const permits = new Permits({ count: 2, spare: 1 })
  const file = (team: string) => {
    const granted: number[] = []
    const { promise, resolve: end } = Promise.withResolvers<void>()
    let hear = (_ask: OcrPermitRequest) => {}
    const grant = ({ grantedPermit }: { grantedPermit: number }) => void granted.push(grantedPermit)
    void withOcrPermits({ permits, who: { team }, grant }, (handleMessage) => {
      hear = handleMessage
      return promise
    })
    return { granted, hear, end }
  }
  return { permits, file }
}

describe('withOcrPermits', () => {
  it('grants as many turns as there are permits, however many one file requests', async () => {
    const { file } = setUp()
    const { granted, hear } = file('a')
    for (const number of [1, 2, 3, 4]) hear({ requestedPermit: number })
    await nextTick()
    expect(granted).toEqual([1, 2])
    hear({ releasedPermit: 1 })
    await nextTick()
    expect(granted).toEqual([1, 2, 3])
  })

  it('grants a turn to another team immediately', async () => {
    const { file } = setUp()
    const [first, second] = [file('a'), file('b')]
    for (const number of [1, 2, 3, 4]) first.hear({ requestedPermit: number })
    second.hear({ requestedPermit: 1 })
    await nextTick()
    expect(second.granted).toEqual([1])
  })

  it('releases all permits when the file ends', async () => {
    const { file, permits } = setUp()
    const { granted, hear, end } = file('a')
    for (const number of [1, 2, 3, 4]) hear({ requestedPermit: number })
    await nextTick()
    end()
    await nextTick()
    expect([granted, permits.held(), permits.waiting()]).toEqual([[1, 2], 0, 0])
  })
})
