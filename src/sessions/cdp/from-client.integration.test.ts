import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createCdpMultiplexer, type JoiningClient } from './multiplexer.ts'

/** A browser that answers with what it was asked, and a client of it. */
async function openScene({ kind }: Pick<JoiningClient, 'kind'> = { kind: 'guest' }) {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()]
  const asked: { id: number; method: string; sessionId?: string; params: object }[] = []
  const hooked: string[] = []
  const heard: Record<string, unknown>[] = []
  const closings: (string | undefined)[] = []
  toBrowser.on('data', (bytes: Buffer) => {
    for (const text of String(bytes).split('\0')) if (text !== '') asked.push(JSON.parse(text))
  })
  const cdp = createCdpMultiplexer(
    { toBrowser, fromBrowser },
    {
      onActivity: () => void hooked.push('activity'),
      onBrowserClose: () => void hooked.push('close'),
      onFlood: () => void hooked.push('flood'),
    },
  )
  const joining = cdp.join({
    kind,
    receive: (text) => void heard.push(JSON.parse(text)),
    closed: (reason) => void closings.push(reason),
  })
  const say = async (message: object) => {
    fromBrowser.write(`${JSON.stringify(message)}\0`)
    await new Promise(setImmediate)
  }
  await say({ id: 1, result: { sessionId: 'root' } })
  const client = await joining
  asked.length = 0
  const send = async (message: object) => {
    const isInTime = client.send(JSON.stringify(message))
    await new Promise(setImmediate)
    return isInTime
  }
  return { cdp, client, send, say, asked, heard, hooked, closings }
}

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const callWith = (value: string) => `{"id":1,"method":"Browser.getVersion","params":{"a":${value}}}`

describe('what a client sends', () => {
  it('reaches the browser under another number, and its answer comes back under its own', async () => {
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
  ])('is refused before it is parsed where it has %s', async (_, text, bound, named) => {
    const { client, asked, heard } = await openScene()
    client.send(text)
    await new Promise(setImmediate)
    expect(asked).toEqual([])
    const message = expect.stringContaining(`MAX_DEVTOOLS_${bound} `)
    expect(heard).toEqual([{ ...named, error: { code: -32700, message } }])
  })

  it('reaches the browser where it is as large as it may be', async () => {
    const { client, asked } = await openScene()
    client.send(callWith(`[${nested(990)},${'1,'.repeat(190_000)}"${'['.repeat(300_000)}"]`))
    await new Promise(setImmediate)
    expect(asked).toMatchObject([{ method: 'Browser.getVersion' }])
  })

  it('does not go to the session of its own by name, nor to one that is not its own', async () => {
    const { send, asked, heard } = await openScene()
    await send({ id: 1, method: 'Browser.getVersion', sessionId: 'root' })
    await send({ id: 2, method: 'Browser.getVersion', sessionId: 'other' })
    expect(asked).toEqual([])
    expect(heard).toMatchObject([
      { id: 1, error: { code: -32001 } },
      { id: 2, error: { code: -32001 } },
    ])
  })

  it('is reported to listeners where it brings a page to the front', async () => {
    const { cdp, send, say } = await openScene()
    const fronts: string[] = []
    const stop = cdp.onActivated((targetId) => void fronts.push(targetId))
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
    expect(fronts).toEqual(['popup', 'page'])
  })

  it('does not close the browser: the session hears of the request', async () => {
    const { send, asked, heard, hooked } = await openScene()
    await send({ id: 1, method: 'Browser.close' })
    expect(asked).toEqual([])
    expect(heard).toEqual([{ id: 1, result: {} }])
    expect(hooked).toEqual(['activity', 'close'])
  })

  it('is no activity where the service sends it, nor where it acknowledges a picture', async () => {
    const service = await openScene({ kind: 'service' })
    await service.send({ id: 1, method: 'Browser.getVersion' })
    const guest = await openScene()
    await guest.send({ id: 1, method: 'Page.screencastFrameAck', params: { sessionId: 1 } })
    expect([...service.hooked, ...guest.hooked]).toEqual([])
  })

  it('ends the client that does not stop to send what is refused', async () => {
    const { client, hooked, closings } = await openScene()
    for (let sent = 0; sent < 20_000 && closings.length === 0; sent += 1) client.send('{')
    expect(closings).toEqual([expect.stringContaining('forbidden')])
    expect(hooked).toEqual(['flood'])
  })

  it('is refused while too many calls of the client wait for an answer', async () => {
    const { client, send, heard } = await openScene({ kind: 'service' })
    const message = JSON.stringify({ id: 1, method: 'A.b' })
    for (let sent = 0; sent < 20_000; sent += 1) client.send(message)
    expect(heard).toEqual([])
    await send({ id: 2, method: 'A.b' })
    expect(heard).toMatchObject([{ id: 2, error: { message: expect.stringContaining('20000 calls') } }])
  })
})
