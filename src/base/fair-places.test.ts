import { describe, expect, it } from 'vitest'
import { type FairPlace, type FairPlaces, fairPlaces } from './fair-places.ts'

const alive = new AbortController().signal

/** Enters in this order and notes who came in. */
function line(places: FairPlaces) {
  const entered: string[] = []
  const held: FairPlace[] = []
  return {
    entered,
    held,
    async join(...names: string[]) {
      for (const name of names) {
        const [team = '', kind] = name.split(' ')
        void places.enter({ team, isBackground: kind === 'background' }, alive).then((place) => {
          entered.push(name)
          held.push(place)
        })
      }
      await turn()
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('places that teams share', () => {
  it('all go to one team while nobody else asks', async () => {
    const { entered, join } = line(fairPlaces({ places: 3, spare: 1 }))
    await join('a', 'a', 'a', 'a')
    expect(entered).toEqual(['a', 'a', 'a'])
  })

  it('are there at once for a team that holds none, though another has filled them', async () => {
    const { entered, join } = line(fairPlaces({ places: 2, spare: 1 }))
    await join('a', 'a', 'a', 'b', 'b')
    expect(entered).toEqual(['a', 'a', 'b'])
  })

  it('go to the team that holds the fewest when one becomes free', async () => {
    const { entered, held, join } = line(fairPlaces({ places: 3, spare: 0 }))
    await join('a', 'a', 'a', 'a', 'a', 'b', 'b')
    for (const place of held.slice(0, 2)) {
      place.leave()
      await turn()
    }
    // One of three, then as many as the other.
    expect(entered.slice(3)).toEqual(['b', 'a'])
  })

  it('go to teams in turn where they hold as many', async () => {
    const { entered, held, join } = line(fairPlaces({ places: 1, spare: 0 }))
    await join('a', 'a', 'a', 'b', 'c')
    for (let index = 0; index < 4; index += 1) {
      held[index]?.leave()
      await turn()
    }
    expect(entered).toEqual(['a', 'a', 'b', 'c', 'a'])
  })

  it('go first to what somebody waits for', async () => {
    const { entered, held, join } = line(fairPlaces({ places: 1, spare: 0 }))
    await join('a', 'b background', 'a background', 'a', 'c')
    for (let index = 0; index < 4; index += 1) {
      held[index]?.leave()
      await turn()
    }
    expect(entered).toEqual(['a', 'a', 'c', 'b background', 'a background'])
  })

  it('are not kept for someone who has given up', async () => {
    const places = fairPlaces({ places: 1, spare: 0 })
    const { entered, held, join } = line(places)
    await join('a')
    const gone = new AbortController()
    const given = places.enter({ team: 'b' }, gone.signal)
    gone.abort(new Error('gone'))
    await expect(given).rejects.toThrow('gone')
    await join('c')
    held[0]?.leave()
    await turn()
    expect(entered).toEqual(['a', 'c'])
    expect(places.waiting()).toBe(0)
  })

  it('count once, however often they are left', async () => {
    const places = fairPlaces({ places: 2, spare: 0 })
    const { held, join } = line(places)
    await join('a', 'b')
    held[0]?.leave()
    held[0]?.leave()
    expect(places.taken()).toBe(1)
  })
})

describe('places that are taken without a line', () => {
  it('are given where one is free for the team, and not otherwise', () => {
    const places = fairPlaces({ places: 1, spare: 1 })
    expect(places.tryEnter({ team: 'a' })).toBeDefined()
    expect(places.tryEnter({ team: 'a' })).toBeUndefined()
    expect(places.tryEnter({ team: 'b' })).toBeDefined()
    expect([places.takenBy('a'), places.takenBy('b'), places.taken()]).toEqual([1, 1, 2])
  })

  it('do not pass by those who wait in line', async () => {
    const places = fairPlaces({ places: 1, spare: 0 })
    const { held, join } = line(places)
    await join('a', 'a')
    expect(places.tryEnter({ team: 'b' })).toBeUndefined()
    held[0]?.leave()
    expect(places.tryEnter({ team: 'b' })).toBeUndefined()
  })

  it('are as many as there are at the time', () => {
    let most = 1
    const places = fairPlaces({ places: () => most, spare: 0 })
    places.tryEnter({ team: 'a' })
    expect(places.tryEnter({ team: 'a' })).toBeUndefined()
    most = 2
    expect(places.tryEnter({ team: 'a' })).toBeDefined()
  })
})

describe('a place given back for a while', () => {
  it('is there for others, and taken again in turn', async () => {
    const places = fairPlaces({ places: 1, spare: 0, paused: 1 })
    const { entered, held, join } = line(places)
    await join('a', 'b')
    held[0]?.pause()
    await turn()
    expect(entered).toEqual(['a', 'b'])
    let isBack = false
    const back = held[0]?.resume(alive).then(() => {
      isBack = true
    })
    await turn()
    expect(isBack).toBe(false)
    held[1]?.leave()
    await back
    expect(places.taken()).toBe(1)
    held[0]?.leave()
    expect(places.taken()).toBe(0)
  })

  it('is kept where too many are given back already', async () => {
    const places = fairPlaces({ places: 2, spare: 0, paused: 1 })
    const { held, join } = line(places)
    await join('a', 'a')
    held[0]?.pause()
    held[1]?.pause()
    expect(places.taken()).toBe(1)
    await held[1]?.resume(alive)
    expect(places.taken()).toBe(1)
  })

  it('is gone when it is left meanwhile', async () => {
    const places = fairPlaces({ places: 1, spare: 0, paused: 1 })
    const { held, join } = line(places)
    await join('a', 'b')
    held[0]?.pause()
    await turn()
    const back = held[0]?.resume(alive)
    held[0]?.leave()
    held[1]?.leave()
    await back
    expect(places.taken()).toBe(0)
  })
})
