import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createOpenConnections, socketCounts } from './open-connections.ts'

function connection() {
  const emitter = new EventEmitter()
  return Object.assign(emitter, {
    closed: false,
    destroy() {
      this.closed = true
      emitter.emit('close')
    },
  })
}

/** Keys as the watch over them knows them, revoked by the test. */
function keys() {
  const watched = new Map<string, Set<() => void>>()
  return {
    watch(keyId: string | null, onRevoked: () => void) {
      const callbacks = watched.get(keyId ?? '') ?? new Set()
      watched.set(keyId ?? '', callbacks.add(onRevoked))
      return () => void callbacks.delete(onRevoked)
    },
    revoke: (keyId: string) => watched.get(keyId)?.forEach((onRevoked) => void onRevoked()),
    watchers: () => [...watched.values()].reduce((sum, { size }) => sum + size, 0),
  }
}

const limits = { all: 10, perTeam: 2, perAddress: 1 }
const owner = { teamId: 'team', keyId: 'key' }

describe('openConnections', () => {
  it('counts a connection until it closes', async () => {
    const known = keys()
    const connections = createOpenConnections(limits, known)
    const [first, second] = [connection(), connection()]
    connections.hold(owner, first)
    connections.hold(owner, second)
    expect(() => connections.hold(owner, connection())).toThrow('MAX_SOCKETS_PER_TEAM: 2')
    expect([connections.count(), known.watchers()]).toEqual([2, 2])
    first.destroy()
    second.destroy()
    await nextTurn()
    expect([connections.count(), known.watchers()]).toEqual([0, 0])
  })

  it('does not count a connection that closed before it was held', async () => {
    const known = keys()
    const connections = createOpenConnections(limits, known)
    const gone = connection()
    gone.destroy()
    connections.hold(owner, gone)
    await nextTurn()
    expect([connections.count(), known.watchers()]).toEqual([0, 0])
  })

  it('ends the connections of a revoked key, each in its own way', async () => {
    const known = keys()
    const connections = createOpenConnections(limits, known)
    const [plain, polite, other] = [connection(), connection(), connection()]
    let told = 0
    connections.hold(owner, plain)
    connections.hold(owner, polite, () => {
      told += 1
      polite.destroy()
    })
    connections.hold({ teamId: 'other', keyId: 'other' }, other)
    known.revoke('key')
    expect([plain.closed, polite.closed, other.closed, told]).toEqual([true, true, false, 1])
    await nextTurn()
    expect(connections.count()).toBe(1)
  })
})

const countedLimits = { all: 3, perTeam: 2, perAddress: 2 }
const forever = new Promise(() => {})

/** A connection that the test closes. */
function closable() {
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
    const counts = socketCounts(countedLimits)
    const first = closable()
    counts.knock('a', first.closed)
    counts.knock('a', forever)
    expect(() => counts.knock('a', forever)).toThrow('MAX_UPGRADES_PER_ADDRESS: 2')
    counts.knock('b', forever)
    await first.close()
    counts.knock('a', forever)
    expect(() => counts.knock('a', forever)).toThrow('MAX_UPGRADES_PER_ADDRESS')
  })

  it('bound those of one team, and all of them', async () => {
    const counts = socketCounts(countedLimits)
    const first = closable()
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
