import { describe, expect, it } from 'vitest'
import { socketCounts } from './socket-counts.ts'

const limits = { all: 3, perTeam: 2, perAddress: 2 }

describe('counts of sockets', () => {
  it('bound those of one address until they are let in, or have gone', () => {
    const counts = socketCounts(limits)
    const first = counts.knock('a')
    counts.knock('a')
    expect(() => counts.knock('a')).toThrow('MAX_UPGRADES_PER_ADDRESS: 2')
    counts.knock('b')
    first()
    first()
    counts.knock('a')
    expect(() => counts.knock('a')).toThrow('MAX_UPGRADES_PER_ADDRESS')
  })

  it('bound those of one team, and all of them', () => {
    const counts = socketCounts(limits)
    const first = counts.open('one')
    counts.open('one')
    expect(() => counts.open('one')).toThrow('MAX_SOCKETS_PER_TEAM: 2')
    counts.open('other')
    expect(() => counts.open('third')).toThrow('MAX_SOCKETS: 3')
    first()
    counts.open('third')
  })

  it('let a team in that has none open, however many the other teams have', () => {
    const counts = socketCounts({ all: 100, perTeam: 30, perAddress: 1 })
    const openAll = (team: string) => {
      for (let opened = 0; ; opened += 1) {
        try {
          counts.open(team)
        } catch {
          return opened
        }
      }
    }
    expect(['a', 'b', 'c', 'd'].map(openAll)).toEqual([30, 30, 30, 1])
    for (let team = 0; team < 9; team += 1) counts.open(`modest ${team}`)
    expect(counts.count()).toBe(100)
    expect(() => counts.open('one more')).toThrow('MAX_SOCKETS: 100')
  })

  it('take a connection back once', () => {
    const counts = socketCounts(limits)
    const close = counts.open('one')
    counts.open('one')
    close()
    close()
    expect(counts.count()).toBe(1)
  })
})
