import { EventEmitter } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createOpenConnections, createSocketCounts } from './open-connections.ts'

function createConnection() {
  const emitter = new EventEmitter()
  return Object.assign(emitter, {
    closed: false,
    destroy() {
      this.closed = true
      emitter.emit('close')
    },
  })
}

/** Fake key watch; the test revokes keys. */
function createKeyWatch() {
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

describe('createOpenConnections()', () => {
  it('counts a connection until it closes', async () => {
    const keyWatch = createKeyWatch()
    const connections = createOpenConnections(limits, keyWatch)
    const [first, second] = [createConnection(), createConnection()]
    connections.hold(owner, first)
    connections.hold(owner, second)
    expect(() => connections.hold(owner, createConnection())).toThrow('MAX_SOCKETS_PER_TEAM: 2')
    expect([connections.count(), keyWatch.watchers()]).toEqual([2, 2])
    first.destroy()
    second.destroy()
    await nextTurn()
    expect([connections.count(), keyWatch.watchers()]).toEqual([0, 0])
  })

  it('does not count a connection that closed before it was held', async () => {
    const keyWatch = createKeyWatch()
    const connections = createOpenConnections(limits, keyWatch)
    const closed = createConnection()
    closed.destroy()
    connections.hold(owner, closed)
    await nextTurn()
    expect([connections.count(), keyWatch.watchers()]).toEqual([0, 0])
  })

  it('ends the connections of a revoked key, by callback or by destroying them', async () => {
    const keyWatch = createKeyWatch()
    const connections = createOpenConnections(limits, keyWatch)
    const [plain, withCallback, other] = [createConnection(), createConnection(), createConnection()]
    let callbackCalls = 0
    connections.hold(owner, plain)
    connections.hold(owner, withCallback, () => {
      callbackCalls += 1
      withCallback.destroy()
    })
    connections.hold({ teamId: 'other', keyId: 'other' }, other)
    keyWatch.revoke('key')
    expect([plain.closed, withCallback.closed, other.closed, callbackCalls]).toEqual([true, true, false, 1])
    await nextTurn()
    expect(connections.count()).toBe(1)
  })
})

const countedLimits = { all: 3, perTeam: 2, perAddress: 2 }
const never = new Promise(() => {})

/** Connection that the test closes. */
function createClosable() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return {
    closed: promise,
    async close() {
      resolve()
      await nextTurn()
    },
  }
}

describe('socketCounts()', () => {
  it('limits upgrades of one address until they settle', async () => {
    const counts = createSocketCounts(countedLimits)
    const first = createClosable()
    counts.trackPendingUpgrade('a', first.closed)
    counts.trackPendingUpgrade('a', never)
    expect(() => counts.trackPendingUpgrade('a', never)).toThrow('MAX_UPGRADES_PER_ADDRESS: 2')
    counts.trackPendingUpgrade('b', never)
    await first.close()
    counts.trackPendingUpgrade('a', never)
    expect(() => counts.trackPendingUpgrade('a', never)).toThrow('MAX_UPGRADES_PER_ADDRESS')
  })

  it('limits connections per team and in total', async () => {
    const counts = createSocketCounts(countedLimits)
    const first = createClosable()
    counts.open('one', first.closed)
    counts.open('one', never)
    expect(() => counts.open('one', never)).toThrow('MAX_SOCKETS_PER_TEAM: 2')
    counts.open('other', never)
    expect(() => counts.open('third', never)).toThrow('MAX_SOCKETS: 3')
    await first.close()
    counts.open('third', never)
  })

  it('accepts a team without open connections, however many the other teams have', () => {
    const counts = createSocketCounts({ all: 100, perTeam: 30, perAddress: 1 })
    const openAll = (team: string) => {
      for (let opened = 0; ; opened += 1) {
        try {
          counts.open(team, never)
        } catch {
          return opened
        }
      }
    }
    expect(['a', 'b', 'c', 'd'].map(openAll)).toEqual([30, 30, 30, 1])
    for (let team = 0; team < 9; team += 1) counts.open(`modest ${team}`, never)
    expect(counts.count()).toBe(100)
    expect(() => counts.open('one more', never)).toThrow('MAX_SOCKETS: 100')
  })
})
