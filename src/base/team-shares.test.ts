import { describe, expect, it } from 'vitest'
import { teamShares } from './team-shares.ts'

describe('the shares of teams', () => {
  it('end with the places, and a spare one is for a team that holds none', () => {
    const shares = teamShares({ places: 1, spare: 1 })
    shares.take('a')
    expect([shares.mayTake('a'), shares.mayTake('b')]).toEqual([false, true])
    shares.take('b')
    expect([shares.mayTake('b'), shares.mayTake('c')]).toEqual([false, false])
  })

  it('count what was taken and given back, by team and together', () => {
    const shares = teamShares({ places: 3, spare: 0 })
    for (const team of ['a', 'a', 'b']) shares.take(team)
    shares.giveBack('a')
    shares.giveBack('b')
    expect([shares.takenBy('a'), shares.takenBy('b'), shares.taken()]).toEqual([1, 0, 1])
  })

  it('follow a number of places that changes', () => {
    let places = 1
    const shares = teamShares({ places: () => places, spare: 0 })
    shares.take('a')
    expect(shares.mayTake('b')).toBe(false)
    places = 2
    expect(shares.mayTake('b')).toBe(true)
  })

  it('are there for a team that holds none, though fewer places are left than another has taken', () => {
    let places = 20
    const shares = teamShares({ places: () => places, spare: 2 })
    for (let index = 0; index < 20; index += 1) shares.take('a')
    places = 1
    expect([shares.mayTake('a'), shares.mayTake('b')]).toEqual([false, true])
    for (const team of ['b', 'c']) shares.take(team)
    expect([shares.mayTake('b'), shares.mayTake('d')]).toEqual([false, false])
    shares.giveBack('c')
    expect(shares.mayTake('d')).toBe(true)
  })
})
