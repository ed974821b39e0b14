import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { type ConnectingClient, createCdpMultiplexer } from './multiplexer.ts'

/** Creates a multiplexer with a fake browser, and a client of it. */
async function openScene({ kind }: Pick<ConnectingClient, 'kind'> = { kind: 'guest' }) {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()]
  const browserMessages: { id: number; method: string; sessionId?: string; params: object }[] = []
  const hookCalls: string[] = []
  const clientMessages: Record<string, unknown>[] = []
  const closeReasons: (string | undefined)[] = []
  toBrowser.on('data', (bytes: Buffer) => {
    for (const text of String(bytes).split('\0')) if (text !== '') browserMessages.push(JSON.parse(text))
  })
  const cdp = createCdpMultiplexer(
    { toBrowser, fromBrowser },
    {
      onActivity: () => void hookCalls.push('activity'),
      onBrowserClose: () => void hookCalls.push('close'),
      onFlood: () => void hookCalls.push('flood'),
    },
  )
  const clientPromise = cdp.join({
    kind,
    receive: (text) => void clientMessages.push(JSON.parse(text)),
    closed: (reason) => void closeReasons.push(reason),
  })
  const sendFromBrowser = async (message: object) => {
    fromBrowser.write(`${JSON.stringify(message)}\0`)
    await new Promise(setImmediate)
  }
  await sendFromBrowser({ id: 1, result: { sessionId: 'root' } })
  const client = await clientPromise
  browserMessages.length = 0
  const send = async (message: object) => {
    const isInTime = client.send(JSON.stringify(message))
    await new Promise(setImmediate)
    return isInTime
  }
  return {
    cdp,
    client,
    send,
    say: sendFromBrowser,
    asked: browserMessages,
    heard: clientMessages,
    hooked: hookCalls,
    closings: closeReasons,
  }
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const callWith = (value: string) => `{"id":1,"method":"Browser.getVersion","params":{"a":${value}}}`

describe('a message of a client', () => {
  it('reaches the browser with a new id, and its response gets the original id', async () => {
    const { send, say, asked, heard, hooked } = await openScene()
    await send({ id: 70, method: 'Browser.getVersion' })
    expect(asked).toEqual([{ id: 2, method: 'Browser.getVersion', params: {}, sessionId: 'root' }])
    await say({ id: 2, result: { product: 'Chrome' }, sessionId: 'root' })
    expect(heard).toEqual([{ id: 70, result: { product: 'Chrome' } }])
    expect(hooked).toEqual(['activity'])
  })

  it.each([
    ['deep parameters', callWith(nested(1001)), 'DEPTH', { id: 1 }],
    ['nothing but levels', nested(1001), 'DEPTH', {}],
    ['levels without an end', '['.repeat(1_000_000), 'DEPTH', {}],
    ['parameters with many values', callWith(`[${'[],'.repeat(200_000)}1]`), 'VALUES', { id: 1 }],
    ['nothing but values', `[${'1,'.repeat(200_000)}1]`, 'VALUES', {}],
  ])('is rejected before parsing if it has %s', async (_, text, bound, idField) => {
    const { client, asked, heard } = await openScene()
    client.send(text)
    await new Promise(setImmediate)
    expect(asked).toEqual([])
    const message = expect.stringContaining(`MAX_DEVTOOLS_${bound} `)
    expect(heard).toEqual([{ ...idField, error: { code: -32700, message } }])
  })

  it('reaches the browser if its size is at the limit', async () => {
    const { client, asked } = await openScene()
    client.send(callWith(`[${nested(990)},${'1,'.repeat(190_000)}"${'['.repeat(300_000)}"]`))
    await new Promise(setImmediate)
    expect(asked).toMatchObject([{ method: 'Browser.getVersion' }])
  })

  it('is rejected for its own root session and for unknown sessions', async () => {
    const { send, asked, heard } = await openScene()
    await send({ id: 1, method: 'Browser.getVersion', sessionId: 'root' })
    await send({ id: 2, method: 'Browser.getVersion', sessionId: 'other' })
    expect(asked).toEqual([])
    expect(heard).toMatchObject([
      { id: 1, error: { code: -32001 } },
      { id: 2, error: { code: -32001 } },
    ])
  })

  it('is reported to listeners if it brings a page to the front', async () => {
    const { cdp, send, say } = await openScene()
    const activatedTargets: string[] = []
    const stop = cdp.onActivated((targetId) => void activatedTargets.push(targetId))
    const targetInfo = { targetId: 'page', type: 'page' }
    await say({
      method: 'Target.attachedToTarget',
      params: { sessionId: 'tab', targetInfo },
      sessionId: 'root',
    })
    await send({ id: 1, method: 'Target.activateTarget', params: { targetId: 'popup' } })
    await send({ id: 2, method: 'Page.bringToFront', sessionId: 'tab' })
    stop()
    await send({ id: 3, method: 'Page.bringToFront', sessionId: 'tab' })
    expect(activatedTargets).toEqual(['popup', 'page'])
  })

  it('does not close the browser but calls onBrowserClose', async () => {
    const { send, asked, heard, hooked } = await openScene()
    await send({ id: 1, method: 'Browser.close' })
    expect(asked).toEqual([])
    expect(heard).toEqual([{ id: 1, result: {} }])
    expect(hooked).toEqual(['activity', 'close'])
  })

  it('does not count as activity if the service sends it or if it acknowledges a screencast frame', async () => {
    const service = await openScene({ kind: 'service' })
    await service.send({ id: 1, method: 'Browser.getVersion' })
    const guest = await openScene()
    await guest.send({ id: 1, method: 'Page.screencastFrameAck', params: { sessionId: 1 } })
    expect([...service.hooked, ...guest.hooked]).toEqual([])
  })

  it('disconnects the client after too many rejected messages', async () => {
    const { client, hooked, closings } = await openScene()
    for (let sent = 0; sent < 20_000 && closings.length === 0; sent += 1) client.send('{')
    expect(closings).toEqual([expect.stringContaining('forbidden')])
    expect(hooked).toEqual(['flood'])
  })

  it('is rejected while 20,000 calls of the client are pending', async () => {
    const { client, send, heard } = await openScene({ kind: 'service' })
    const message = JSON.stringify({ id: 1, method: 'A.b' })
    for (let sent = 0; sent < 20_000; sent += 1) client.send(message)
    expect(heard).toEqual([])
    await send({ id: 2, method: 'A.b' })
    expect(heard).toMatchObject([{ id: 2, error: { message: expect.stringContaining('20000 calls') } }])
  })
})
