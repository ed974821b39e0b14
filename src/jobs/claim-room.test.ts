import { describe, expect, it } from 'vitest'
import { fairPlaces } from '../base/fair-places.ts'
import { claimRoom } from './claim-room.ts'

const counts = (room: ReturnType<typeof claimRoom>) =>
  Object.fromEntries([...room].map(([team, taken]) => [team, taken.length]))

describe('room to claim for', () => {
  it('is shared by the teams that wait', () => {
    const places = fairPlaces({ places: 5, spare: 0 })
    expect(counts(claimRoom(places, ['a', 'b']))).toEqual({ a: 3, b: 2 })
    expect(places.taken()).toBe(5)
  })

  it('goes first to the team that has the fewest jobs', () => {
    const places = fairPlaces({ places: 6, spare: 0 })
    for (let index = 0; index < 3; index += 1) places.tryEnter({ team: 'a' })
    expect(counts(claimRoom(places, ['a', 'b']))).toEqual({ b: 3 })
  })

  it('is what is spare for teams that have none, where the rest is filled', () => {
    const places = fairPlaces({ places: 1, spare: 2 })
    places.tryEnter({ team: 'a' })
    expect(counts(claimRoom(places, ['a', 'b', 'c', 'd']))).toEqual({ b: 1, c: 1 })
  })

  it('ends for a team with as many as are claimed together', () => {
    const places = fairPlaces({ places: 200, spare: 0 })
    expect(counts(claimRoom(places, ['a', 'b']))).toEqual({ a: 64, b: 64 })
  })

  it('is none where nobody waits', () => {
    expect(claimRoom(fairPlaces({ places: 1, spare: 0 }), []).size).toBe(0)
  })
})
