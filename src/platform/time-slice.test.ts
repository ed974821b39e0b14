import { describe, expect, it } from 'vitest'
import { sortAsync } from './time-slice.ts'

describe('sortInTurns', () => {
  it.each([0, 1, 4000, 4001, 30_011])(
    'sorts %i items like toSorted, and yields at least once per 4000 items',
    async (count) => {
      const items = Array.from({ length: count }, (_, index) => ({ place: index, rank: (index * 7919) % 97 }))
      let yields = 0
      const sorted = await sortAsync(
        items,
        (left, right) => left.rank - right.rank,
        async () => {
          yields += 1
        },
      )
      expect(sorted).toEqual(items.toSorted((left, right) => left.rank - right.rank))
      expect(yields).toBeGreaterThanOrEqual(Math.floor(count / 4000))
    },
  )
})
