import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createCdpMultiplexer } from './multiplexer.ts'

const hooks = { onActivity() {}, onBrowserClose() {}, onFlood() {} }
const client = { kind: 'guest', receive() {}, closed() {} } as const

/** Creates a multiplexer with a fake browser that accepts every client and ignores all other messages. */
function createTestMultiplexer(toBrowser: Writable = new PassThrough()) {
  const fromBrowser = new PassThrough()
  let callCount = 0
  const cdp = createCdpMultiplexer({ toBrowser, fromBrowser }, hooks)
  const join = (newClient: Parameters<typeof cdp.join>[0]) => {
    const connection = cdp.join(newClient)
    callCount += 1
    fromBrowser.write(`{"id":${callCount},"result":{"sessionId":"S${callCount}"}}\0`)
    return connection
  }
  return { cdp, join, fromBrowser }
}

describe('createCdpMultiplexer', () => {
  it('joins messages that arrive in pieces', async () => {
    const { join, fromBrowser } = createTestMultiplexer()
    const messages: string[] = []
    await join({ ...client, receive: (text) => void messages.push(text) })
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]
    for (const piece of ['{"method":"A.b","params":{"c":"', first, second]) fromBrowser.write(piece)
    fromBrowser.write('"},"sessionId":"S1"}\0{"method":"A.d","params":{},"sessionId":"S1"}\0')
    await new Promise(setImmediate)
    expect(messages).toEqual(['{"method":"A.b","params":{"c":"é"}}', '{"method":"A.d","params":{}}'])
  })

  it('closes all clients after an invalid message from the browser', async () => {
    const { cdp, join, fromBrowser } = createTestMultiplexer()
    const closeEvents: string[] = []
    await join({ ...client, closed: () => void closeEvents.push('closed') })
    fromBrowser.write('{"method":"Target.attachedToTarget","params":{\0')
    await new Promise(setImmediate)
    expect(closeEvents).toEqual(['closed'])
    expect(fromBrowser.destroyed).toBe(true)
    await expect(cdp.join(client)).rejects.toThrow('ended')
  })

  it('returns false from send() while the browser does not read', async () => {
    const pending: (() => void)[] = []
    const slow = new Writable({
      highWaterMark: 100,
      write: (_chunk, _encoding, done) => void pending.push(done),
    })
    const { join } = createTestMultiplexer(slow)
    const joined = await join(client)
    let isDrained = false
    const message = JSON.stringify({
      id: 1,
      method: 'Runtime.evaluate',
      params: { expression: 'x'.repeat(200) },
    })
    expect(joined.send(message)).toBe(false)
    void joined.drained().then(() => {
      isDrained = true
    })
    await new Promise(setImmediate)
    expect(isDrained).toBe(false)
    while (pending.length > 0) {
      pending.shift()?.()
      await new Promise(setImmediate)
    }
    expect(isDrained).toBe(true)
  })

  it('answers a message that is nested too deeply', async () => {
    const { join } = createTestMultiplexer()
    const messages: string[] = []
    const joined = await join({ ...client, receive: (text) => void messages.push(text) })
    const nested = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    joined.send(`{"id":3,"method":"Runtime.evaluate","params":{"expression":${nested}}}`)
    expect(JSON.parse(messages[0] ?? '')).toMatchObject({ error: { code: -32700 } })
  })

  it('accepts 32 guests, and the service at any time', async () => {
    const { cdp, join } = createTestMultiplexer()
    const guests = await Promise.all(Array.from({ length: 32 }, () => join(client)))
    await expect(cdp.join(client)).rejects.toThrow('32 clients')
    await join({ ...client, kind: 'service' })
    guests[0]?.disconnect()
    void cdp.join(client)
    await expect(cdp.join(client)).rejects.toThrow('32 clients')
  })
})
