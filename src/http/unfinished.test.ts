import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLog } from '../base/log.ts'
import { createClientAddress } from './client-address.ts'
import { boundConnections } from './connections.ts'
import { type Unfinished, watchUnfinished } from './unfinished.ts'

let unfinished: Unfinished | undefined
afterEach(() => unfinished?.stop())

function watch(limits: { maxBytes: number; stallMs: number }): Unfinished {
  const server = createServer()
  const clientAddress = createClientAddress([])
  const connections = boundConnections(server, { maxConnections: 10, clientAddress, log: silentLog })
  unfinished = watchUnfinished(server, { limits, connections, clientAddress })
  return unfinished
}

describe('files that a body contained', () => {
  it('are counted until they are released, and wait for each other', async () => {
    const { holdFile, counts } = watch({ maxBytes: 100, stallMs: 60_000 })
    const release = await holdFile('a', 40)
    const second = holdFile('a', 40)
    expect(counts()).toEqual({ bytes: 40, bodies: 2 })
    release()
    const releaseSecond = await second
    expect(counts()).toEqual({ bytes: 40, bodies: 1 })
    releaseSecond()
    expect(counts()).toEqual({ bytes: 0, bodies: 0 })
  })

  it('are refused if no space becomes free in time', async () => {
    const { holdFile, counts } = watch({ maxBytes: 100, stallMs: 0 })
    await holdFile('a', 40)
    await expect(holdFile('a', 40)).rejects.toMatchObject({ code: 'TOO_MANY_UNFINISHED_REQUESTS' })
    expect(counts()).toEqual({ bytes: 40, bodies: 1 })
  })
})
