import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { socketCounts } from './socket-counts.ts'

const limits = { all: 3, perTeam: 2, perAddress: 2 }
const forever = new Promise(() => {})

/** A connection that the test closes. */
function connection() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    closed: promise,
    async close() {
      resolve()
      await nextTurn()
    },
  }
}

describe('counts of sockets', () => {
  it('bound those of one address until they are let in, or have gone', async () => {
    const counts = socketCounts(limits)
    const first = connection()
    counts.knock('a', first.closed)
    counts.knock('a', forever)
    expect(() => counts.knock('a', forever)).toThrow('MAX_UPGRADES_PER_ADDRESS: 2')
    counts.knock('b', forever)
    await first.close()
    counts.knock('a', forever)
    expect(() => counts.knock('a', forever)).toThrow('MAX_UPGRADES_PER_ADDRESS')
  })

  it('bound those of one team, and all of them', async () => {
    const counts = socketCounts(limits)
    const first = connection()
    counts.open('one', first.closed)
    counts.open('one', forever)
    expect(() => counts.open('one', forever)).toThrow('MAX_SOCKETS_PER_TEAM: 2')
    counts.open('other', forever)
    expect(() => counts.open('third', forever)).toThrow('MAX_SOCKETS: 3')
    await first.close()
    counts.open('third', forever)
  })

  it('let a team in that has none open, however many the other teams have', () => {
    const counts = socketCounts({ all: 100, perTeam: 30, perAddress: 1 })
    const openAll = (team: string) => {
      for (let opened = 0; ; opened += 1) {
        try {
          counts.open(team, forever)
        } catch {
          return opened
        }
      }
    }
    expect(['a', 'b', 'c', 'd'].map(openAll)).toEqual([30, 30, 30, 1])
    for (let team = 0; team < 9; team += 1) counts.open(`modest ${team}`, forever)
    expect(counts.count()).toBe(100)
    expect(() => counts.open('one more', forever)).toThrow('MAX_SOCKETS: 100')
  })
})
