import { expect, it } from 'vitest'
import { createTokenBucket } from './token-bucket.ts'

it('bucket allows a burst, then as many tokens as are refilled over time', () => {
  let time = 0
  const { take, wait } = createTokenBucket({ perSecond: 10, burst: 3 }, () => time)
  expect([take(1), take(2), take(1)]).toEqual([2, 0, -1])
  expect(wait()).toBe(100)
  time = 200
  expect([wait(), take(1)]).toEqual([0, 0])
  time = 100_000
  expect(take(0)).toBe(3)
})
