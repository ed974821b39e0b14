import { describe, expect, it } from 'vitest'
import { sortInTurns } from './time-slice.ts'

describe('a sort in turns', () => {
  it.each([0, 1, 4000, 4001, 30_011])(
    'orders %i items as one at once would, and keeps equal ones in order',
    async (count) => {
      const items = Array.from({ length: count }, (_, place) => ({ place, rank: (place * 7919) % 97 }))
      let turns = 0
      const sorted = await sortInTurns(
        items,
        (left, right) => left.rank - right.rank,
        async () => {
          turns += 1
        },
      )
      expect(sorted).toEqual(items.toSorted((left, right) => left.rank - right.rank))
      expect(turns).toBeGreaterThanOrEqual(Math.floor(count / 4000))
    },
  )
})
