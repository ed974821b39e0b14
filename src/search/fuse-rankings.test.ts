import { describe, expect, it } from 'vitest'
import { fuseRankings } from './fuse-rankings.ts'

describe('fuseRankings', () => {
  it('ranks an item of two rankings before items of one ranking', () => {
    expect(
      fuseRankings([
        ['a', 'b', 'c'],
        ['d', 'c'],
      ]),
    ).toEqual(['c', 'a', 'd', 'b'])
  })

  it('gives a first rank more weight with a small k', () => {
    const rankings = [
      ['a', 'b', 'c', 'd'],
      ['d', 'c', 'b'],
      ['e', 'f', 'b'],
    ]
    expect(fuseRankings(rankings)[0]).toBe('b')
    expect(fuseRankings(rankings, 0)[0]).toBe('d')
  })

  it('keeps the order of a single ranking, and of the first ranking for equal sums', () => {
    expect(fuseRankings([['b', 'a', 'c']])).toEqual(['b', 'a', 'c'])
    expect(
      fuseRankings([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    ).toEqual(['a', 'b'])
    expect(fuseRankings([[], ['a']])).toEqual(['a'])
    expect(fuseRankings([])).toEqual([])
  })

  it('counts an item once per ranking, at its best rank', () => {
    expect(
      fuseRankings([
        ['a', 'b', 'b', 'b'],
        ['c', 'a'],
      ]),
    ).toEqual(['a', 'c', 'b'])
  })
})
