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
})
