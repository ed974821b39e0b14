import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createCdpMultiplexer } from './multiplexer.ts'

const hooks = { onActivity() {}, onBrowserClose() {}, onFlood() {} }
const client = { kind: 'guest', receive() {}, closed() {} } as const

/** A browser that lets everybody in, and does not listen to anything else. */
function openSwitch(toBrowser: Writable = new PassThrough()) {
  const fromBrowser = new PassThrough()
  let asked = 0
  const cdp = createCdpMultiplexer({ toBrowser, fromBrowser }, hooks)
  const join = (joining: Parameters<typeof cdp.join>[0]) => {
    const joined = cdp.join(joining)
    asked += 1
    fromBrowser.write(`{"id":${asked},"result":{"sessionId":"S${asked}"}}\0`)
    return joined
  }
  return { cdp, join, fromBrowser }
}

describe('the pipe to a browser', () => {
  it('puts messages together that come in pieces', async () => {
    const { join, fromBrowser } = openSwitch()
    const heard: string[] = []
    await join({ ...client, receive: (text) => void heard.push(text) })
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]
    for (const piece of ['{"method":"A.b","params":{"c":"', first, second]) fromBrowser.write(piece)
    fromBrowser.write('"},"sessionId":"S1"}\0{"method":"A.d","params":{},"sessionId":"S1"}\0')
    await new Promise(setImmediate)
    expect(heard).toEqual(['{"method":"A.b","params":{"c":"é"}}', '{"method":"A.d","params":{}}'])
  })

  it('ends for all when the browser does not speak the protocol', async () => {
    const { cdp, join, fromBrowser } = openSwitch()
    const closings: string[] = []
    await join({ ...client, closed: () => void closings.push('closed') })
    fromBrowser.write('{"method":"Target.attachedToTarget","params":{\0')
    await new Promise(setImmediate)
    expect(closings).toEqual(['closed'])
    expect(fromBrowser.destroyed).toBe(true)
    await expect(cdp.join(client)).rejects.toThrow('ended')
  })

  it('tells a client to wait while the browser does not read', async () => {
    const pending: (() => void)[] = []
    const slow = new Writable({
      highWaterMark: 100,
      write: (_chunk, _encoding, done) => void pending.push(done),
    })
    const { join } = openSwitch(slow)
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

  it('answers a message that is nested too deeply to be written', async () => {
    const { join } = openSwitch()
    const heard: string[] = []
    const joined = await join({ ...client, receive: (text) => void heard.push(text) })
    const nested = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
    joined.send(`{"id":3,"method":"Runtime.evaluate","params":{"expression":${nested}}}`)
    expect(JSON.parse(heard[0] ?? '')).toMatchObject({ error: { code: -32700 } })
  })

  it('lets in 32 guests, and the service always', async () => {
    const { cdp, join } = openSwitch()
    const guests = await Promise.all(Array.from({ length: 32 }, () => join(client)))
    await expect(cdp.join(client)).rejects.toThrow('32 clients')
    await join({ ...client, kind: 'service' })
    guests[0]?.leave()
    void cdp.join(client)
    await expect(cdp.join(client)).rejects.toThrow('32 clients')
  })
})
