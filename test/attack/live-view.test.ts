import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { addTableRow, attackClass } from './attack.ts'
import { type LiveMessage, liveMessages, steeringInputs } from './live-view-vectors.ts'

/** Anyone with the URL of a live view can connect to it and send arbitrary messages. */
interface Session {
  id: string
  cdpUrl: string
  liveViewUrl: string
  interactiveLiveViewUrl: string
}

interface State {
  active: string | null
  tabs: { id: string; url: string }[]
}

let service: OwnService
let attacked: Session
let other: Session
let stateOfOther: State
beforeAll(async () => {
  service = await startOwnService()
  ;[attacked, other] = [await open(), await open()]
  stateOfOther = await readState(other)
})
afterAll(() => service.remove())

async function open(): Promise<Session> {
  return (await service.call('POST', '/v2/browser', { body: { ttl: 600 } })).body
}

const execute = async ({ id }: Session, code: string) =>
  (await service.call('POST', `/v2/browser/${id}/execute`, { body: { code, language: 'node' } })).body

function openSocket(url: string): WebSocket {
  const socket = new WebSocket(url.replace(/^http/, 'ws'))
  socket.on('error', () => {})
  return socket
}

async function connect(url: string): Promise<WebSocket> {
  const socket = openSocket(url)
  await once(socket, 'open')
  return socket
}

const closeOf = (socket: WebSocket) =>
  new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)))

async function readState({ liveViewUrl }: Session): Promise<State> {
  // The first message may arrive together with the reply to the upgrade.
  const socket = openSocket(liveViewUrl)
  const state = await nextMessage<State>(socket, 'state')
  socket.terminate()
  return state
}

/** Resolves to the next message of this type. */
function nextMessage<Message>(socket: WebSocket, type: string): Promise<Message> {
  return new Promise((resolve, reject) => {
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? undefined : JSON.parse(String(data))
      if (message?.type === type) resolve(message)
    })
    socket.once('close', (code, reason) => reject(new Error(`closed with ${code} ${reason}`)))
  })
}

/** Returns the harm that was done, if any. */
async function findHarm(): Promise<string | undefined> {
  if (service.process.exitCode !== null || service.process.signalCode !== null) return 'the process has ended'
  if (/"level":"error"|EVENT_LOOP_BLOCKED/.test(service.output())) return 'the log has an error'
  const { status } = await service.call('GET', '/health/live')
  if (status !== 200) return `health answers ${status}`
  const { active, tabs } = await readState(other)
  if (active !== stateOfOther.active || tabs.length !== stateOfOther.tabs.length)
    return 'the other session has changed'
  const own = await readState(attacked)
  if (own.tabs.length === 0) return 'the session has no page any more'
  return own.tabs.some(({ url }) => /^(file|chrome|javascript|view-source):/.test(url))
    ? `the session shows ${JSON.stringify(own.tabs)}`
    : undefined
}

describe('a live view', () => {
  attackClass<LiveMessage>({
    name: 'malformed and unusual input to a live view',
    vectors: liveMessages,
    short: 30,
    concurrency: 4,
    async run({ text, isBinary }) {
      const socket = await connect(attacked.interactiveLiveViewUrl)
      const closed = closeOf(socket)
      const message = text.replace('TAB OF ANOTHER SESSION', stateOfOther.active ?? '')
      socket.send(message, { binary: isBinary })
      // The service has read the message before it replies to the ping that follows.
      socket.ping()
      const code = await Promise.race([once(socket, 'pong').then(() => undefined), closed])
      socket.terminate()
      if (code !== undefined && code !== 1008 && code !== 1007) return `closed with ${code}`
      return findHarm()
    },
  })

  attackClass({
    name: 'input from a viewer who may only watch',
    vectors: steeringInputs.flatMap((text) => [false, true].map((isBinary) => ({ text, isBinary }))),
    short: 8,
    async run({ text, isBinary }) {
      // Tabs of the attacked session may still change because of earlier input.
      const before = await readState(other)
      const socket = await connect(other.liveViewUrl)
      const closed = closeOf(socket)
      socket.send(text, { binary: isBinary })
      const code = await closed
      if (code !== 1008) return `closed with ${code}`
      const after = await readState(other)
      return JSON.stringify(after.tabs) === JSON.stringify(before.tabs) ? findHarm() : 'it steers'
    },
  })

  attackClass({
    name: 'addresses of a live view with a token of another kind',
    vectors: ['view as control', 'control as view', 'cdp as control', 'other session', 'ended session'],
    async run(kind) {
      const token = (url: string) => new URL(url).searchParams.get('token') ?? ''
      const url = new URL(attacked.interactiveLiveViewUrl)
      if (kind === 'view as control') url.searchParams.set('token', token(attacked.liveViewUrl))
      if (kind === 'control as view') url.searchParams.delete('interactive')
      if (kind === 'cdp as control') url.searchParams.set('token', token(attacked.cdpUrl))
      if (kind === 'other session') url.searchParams.set('token', token(other.interactiveLiveViewUrl))
      if (kind === 'ended session') url.pathname = `/live/${crypto.randomUUID()}`
      const socket = openSocket(url.href)
      const outcome = await new Promise<string>((resolve) => {
        socket.once('unexpected-response', (_, response) => resolve(`status ${response.statusCode}`))
        socket.once('message', () => resolve('open'))
        socket.once('close', (code) => resolve(`closed ${code}`))
      })
      socket.terminate()
      return /^status 40[134]$/.test(outcome) ? findHarm() : outcome
    },
  })

  attackClass({
    name: 'input to a live view without end',
    vectors: [
      '{"type":"mouse","action":"move","x":1,"y":1}',
      'no json',
      '{"type":"reload"}',
      '{"type":"new-tab"}',
    ],
    short: 2,
    async run(text) {
      const socket = await connect(attacked.interactiveLiveViewUrl)
      const closed = closeOf(socket)
      for (let count = 0; count < 5000; count += 1) socket.send(text)
      const code = await closed
      return code === 1008 ? findHarm() : `closed with ${code}`
    },
  })

  it('buffers no unfinished message longer than the maximum input', async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => connect(attacked.liveViewUrl)))
    const closed = Promise.all(sockets.map(closeOf))
    const part = Buffer.alloc(50_000, 'x')
    for (const socket of sockets) for (let count = 0; count < 3; count += 1) socket.send(part, { fin: false })
    expect(await closed).toEqual(Array(8).fill(1009))
    addTableRow({ name: 'unfinished messages to a live view', vectors: 8, hits: 0 })
    expect(await findHarm()).toBeUndefined()
  })

  it('still opens tabs while a page does not process input', { timeout: 60_000 }, async () => {
    const blocked = await open()
    const socket = openSocket(blocked.interactiveLiveViewUrl)
    await nextMessage(socket, 'state')
    await execute(blocked, "await page.goto('data:text/html,<title>x</title>')")
    void execute(blocked, 'await page.evaluate(() => { for (;;); })').catch(() => {})
    const notice = nextMessage<{ text: string }>(socket, 'notice')
    const text = 'x'.repeat(20_000)
    const flooding = setInterval(() => {
      for (let count = 0; count < 10; count += 1) socket.send(JSON.stringify({ type: 'text', text }))
    }, 50)
    try {
      expect((await notice).text).toContain('does not react')
    } finally {
      clearInterval(flooding)
    }
    const tabs = (await readState(blocked)).tabs.length
    socket.send(JSON.stringify({ type: 'new-tab' }))
    await until('a new tab', 20_000, async () => (await readState(blocked)).tabs.length > tabs || undefined)
    socket.terminate()
    await service.call('DELETE', `/v2/browser/${blocked.id}`)
    expect(await findHarm()).toBeUndefined()
  })
})
