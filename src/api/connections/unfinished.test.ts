import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { createClientAddress } from './client-address.ts'
import { limitConnections } from './connections.ts'
import { limitUnfinishedRequests, type UnfinishedRequests } from './unfinished.ts'

let unfinished: UnfinishedRequests | undefined
afterEach(() => unfinished?.stop())

function createUnfinished(limits: { maxBytes: number; stallMs: number }): UnfinishedRequests {
  const server = createServer()
  const clientAddress = createClientAddress([])
  const connections = limitConnections(server, { maxConnections: 10, clientAddress, log: silentLog })
  unfinished = limitUnfinishedRequests(server, { limits, connections, clientAddress })
  return unfinished
}

describe('holdFile()', () => {
  it('counts a file until it is released, and queues further files of the owner', async () => {
    const { holdFile, counts } = createUnfinished({ maxBytes: 100, stallMs: 60_000 })
    const started = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const first = holdFile('a', 40, () => end.promise)
    const second = holdFile('a', 40, async () => {
      started.resolve()
      expect(counts()).toEqual({ bytes: 40, bodies: 1 })
      throw new Error('It could not be read.')
    })
    await expect.poll(counts).toEqual({ bytes: 40, bodies: 2 })
    end.resolve()
    await Promise.all([first, started.promise, expect(second).rejects.toThrow('could not be read')])
    expect(counts()).toEqual({ bytes: 0, bodies: 0 })
  })

  it('rejects a file if no space becomes free in time', async () => {
    const { holdFile, counts } = createUnfinished({ maxBytes: 100, stallMs: 0 })
    const end = Promise.withResolvers<void>()
    const first = holdFile('a', 40, () => end.promise)
    await expect(holdFile('a', 40, async () => undefined)).rejects.toMatchObject({
      code: 'TOO_MANY_UNFINISHED_REQUESTS',
    })
    expect(counts()).toEqual({ bytes: 40, bodies: 1 })
    end.resolve()
    await first
  })
})
