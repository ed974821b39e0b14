import { describe, expect, it } from 'vitest'
import { placesInTurn } from './places.ts'

const never = new AbortController().signal

describe('places', () => {
  it('are given to teams in turn, and within a team in the order of asking', async () => {
    const places = placesInTurn(1)
    const order: string[] = []
    const leaveFirst = await places.enter('a', never)
    const visit = async (team: string, name: string) => {
      const leave = await places.enter(team, never)
      order.push(name)
      leave()
    }
    const visits = [visit('a', 'a1'), visit('a', 'a2'), visit('a', 'a3'), visit('b', 'b1'), visit('b', 'b2')]
    leaveFirst()
    await Promise.all(visits)
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
    expect(places.taken()).toBe(0)
  })

  it('are not lost when someone gives up waiting', async () => {
    const places = placesInTurn(1)
    const leave = await places.enter('a', never)
    const impatient = new AbortController()
    const waiting = places.enter('b', impatient.signal)
    impatient.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    leave()
    leave()
    expect(places.taken()).toBe(0)
    ;(await places.enter('c', never))()
    expect(places.taken()).toBe(0)
  })
})
