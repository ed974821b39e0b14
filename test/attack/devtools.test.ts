import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll } from 'vitest'
import { WebSocket } from 'ws'
import { type OwnService, startOwnService } from '../api.ts'
import { attackClass, isFull, wasBlocked } from './attack.ts'

let service: OwnService
beforeAll(async () => {
  service = await startOwnService({
    CODE_OUTPUT_MB: '24',
    CLIENT_UNREAD_MB: '2',
    SESSION_MEMORY_MB: '700',
    RATE_PER_MINUTE: '100000',
  })
})
afterAll(() => service.remove())

interface Session {
  id: string
  cdpUrl: string
}

async function open(): Promise<Session> {
  return (await service.call('POST', '/v2/browser', { body: { ttl: 300 } })).body
}

async function execute(session: Session, language: string, code: string, timeout = 20) {
  const path = `/v2/browser/${session.id}/execute`
  return (await service.call('POST', path, { body: { language, code, timeout } })).body
}

const residentMegabytes = () => {
  const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024
}
const countHandles = () => readdirSync(`/proc/${service.process.pid}/fd`).length

/**
 * Runs an attack while it polls the health of the service. Returns the result, the maximum number of handles, and the
 * harm.
 */
async function withHealthChecks<Result>(
  attack: () => Promise<Result>,
): Promise<{ result: Result; max: number; harm: string | undefined }> {
  let isOver = false
  let silence = 0
  let maxHandles = 0
  let harm: string | undefined
  const polling = (async () => {
    while (!isOver) {
      const sentAt = performance.now()
      const { status } = await service.call('GET', '/health/live', { key: null })
      silence = Math.max(silence, performance.now() - sentAt)
      maxHandles = Math.max(maxHandles, countHandles())
      if (status !== 200) harm = `health answers ${status}`
      await sleep(20)
    }
  })()
  const began = performance.now()
  const result = await attack()
  const took = performance.now() - began
  isOver = true
  await polling
  if (wasBlocked({ silence, took })) harm ??= `health took ${Math.round(silence)} ms`
  return { result, max: maxHandles, harm }
}

/** Returns undefined if the session still works, otherwise the harm. */
async function harmToOther(session: Session): Promise<string | undefined> {
  const { stdout } = await execute(session, 'bash', 'echo calm')
  return stdout === 'calm\n' ? undefined : 'another session is harmed'
}

/** Returns a script that connects from several processes, because one process may have only 512 handles. */
const connecting = (each: string) => `/usr/bin/python3 -u - <<'END'
import os, socket, time
def hold():
    kept = []
    end = time.time() + ${isFull ? 2.5 : 1.2}
    while time.time() < end:
        try:
            one = socket.create_connection(('127.0.0.1', 9222), timeout=1)
            ${each}
            kept.append(one)
        except OSError: time.sleep(0.001)
for child in range(20):
    if os.fork() == 0:
        hold()
        os._exit(0)
time.sleep(${isFull ? 4 : 2.5})
END`

attackClass({
  name: 'connections to DevTools from code, without end',
  vectors: [
    { name: 'silent', each: 'pass' },
    { name: 'half a header', each: "one.send(b'GET / HTTP/1.1\\r\\nhost')" },
    { name: 'opened and closed', each: 'one.close(); continue' },
    {
      name: 'asked for the version',
      each: "one.send(b'GET /json/version HTTP/1.1\\r\\nhost: a\\r\\n\\r\\n')",
    },
    {
      name: 'upgraded',
      each: "one.send(b'GET / HTTP/1.1\\r\\nhost: a\\r\\nconnection: upgrade\\r\\nupgrade: websocket\\r\\nsec-websocket-version: 13\\r\\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n\\r\\n')",
    },
  ],
  short: 2,
  async run({ each }) {
    const [session, other] = [await open(), await open()]
    const before = countHandles()
    const { result, max, harm } = await withHealthChecks(() => execute(session, 'bash', connecting(each), 15))
    const after = await harmToOther(other)
    const own = await execute(session, 'node', 'await page.title()')
    await Promise.all([session, other].map(({ id }) => service.call('DELETE', `/v2/browser/${id}`)))
    if (max > before + 400) return `it took ${max - before} handles of the service`
    if (own.exitCode !== 0) return `the session cannot be used any more: ${JSON.stringify(own)}`
    if (!result.success) return `the call answers ${JSON.stringify(result)}`
    return harm ?? after
  },
})

attackClass({
  name: 'DevTools messages that are refused, without end',
  vectors: [
    '{}',
    'no json',
    '[]',
    '{"id":1,"method":"Browser.crash"}',
    '{"id":1,"method":"Browser.getVersion","sessionId":"of somebody else"}',
    `{"id":1,"method":"${'x'.repeat(2000)}"}`,
  ],
  short: 2,
  async run(message) {
    const [session, other] = [await open(), await open()]
    const { result, harm } = await withHealthChecks(() => flood(session, message))
    const ending = await endOf(session)
    const after = await harmToOther(other)
    await Promise.all([session, other].map(({ id }) => service.call('DELETE', `/v2/browser/${id}`)))
    if (!/forbidden/.test(result)) return `the client gets ${JSON.stringify(result)}`
    if (ending !== 'flooded') return `the session ended by ${ending}`
    return harm ?? after
  },
})

async function endOf({ id }: Session): Promise<unknown> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { body } = await service.call('GET', `/v2/browser/${id}`)
    if (body.error !== undefined) return body.error
    await sleep(100)
  }
  return undefined
}

/** Sends messages as fast as possible. Returns the reason with which the connection was closed. */
async function flood({ cdpUrl }: Session, message: string): Promise<string> {
  const socket = new WebSocket(cdpUrl)
  await new Promise((resolve) => socket.once('open', resolve))
  const closed = new Promise<string>((resolve) =>
    socket.once('close', (_, reason) => resolve(String(reason))),
  )
  socket.on('error', () => {})
  socket.on('message', () => {})
  const end = performance.now() + 20_000
  while (socket.readyState === socket.OPEN && performance.now() < end) {
    if (socket.bufferedAmount > 1_000_000) await sleep(5)
    else for (let count = 0; count < 200; count += 1) socket.send(message)
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.terminate()
  return closed
}

const channelFlood = (line: string) => `const fs = require('fs')
const block = ${JSON.stringify(line)}.repeat(20000)
for (;;) {
  try { fs.writeSync(Number(process.argv[2]), block) } catch { await new Promise((done) => setTimeout(done, 1)) }
}`

attackClass({
  name: 'code that writes without end, to its outputs and to the channel of its answers',
  vectors: [
    { language: 'node', code: channelFlood('{}\n'), told: /channel/ },
    { language: 'node', code: channelFlood('{"ready":true}\n'), told: /channel/ },
    { language: 'node', code: channelFlood('\n'), told: /channel/ },
    { language: 'node', code: channelFlood('x'), told: /channel/ },
    { language: 'bash', code: 'yes', told: /CODE_OUTPUT_MB is 24/ },
    { language: 'bash', code: 'cat /dev/zero >&2', told: /CODE_OUTPUT_MB is 24/ },
    { language: 'node', code: 'for (;;) console.log("x".repeat(1000))', told: /CODE_OUTPUT_MB is 24/ },
    { language: 'bash', code: '(setsid yes &); sleep 5', told: /CODE_OUTPUT_MB is 24/ },
  ],
  short: 3,
  async run({ language, code, told }) {
    const [session, other] = [await open(), await open()]
    const { result, harm } = await withHealthChecks(() => execute(session, language, code, 15))
    const after = (await harmToOther(other)) ?? (await harmToOther(session))
    await Promise.all([session, other].map(({ id }) => service.call('DELETE', `/v2/browser/${id}`)))
    if (!told.test(result.stderr)) return `the code gets ${JSON.stringify({ ...result, stdout: '' })}`
    return harm ?? after
  },
})

attackClass({
  name: 'pages that take the memory of their session and more',
  vectors: [
    'const kept = (window.kept = []); for (;;) { kept.push(new Uint8Array(5e7).fill(1)); await new Promise((r) => setTimeout(r, 5)) }',
    'const kept = (window.kept = []); for (;;) { kept.push(new Blob([new Uint8Array(5e7).fill(1)])); await new Promise((r) => setTimeout(r, 5)) }',
    'const kept = (window.kept = []); for (let i = 0; ; i += 1) { kept.push("x".repeat(1e7) + i + kept.length); kept.at(-1).charCodeAt(1e6); await 0; if (i % 20 === 0) await new Promise((r) => setTimeout(r, 5)) }',
  ],
  short: 1,
  async run(script) {
    const [session, other] = [await open(), await open()]
    const { result, harm } = await withHealthChecks(() =>
      execute(session, 'node', `await page.evaluate(async () => { ${script} })`, 25),
    )
    const after = await harmToOther(other)
    const own = await harmToOther(session)
    const ending = own === undefined ? undefined : await endOf(session)
    await Promise.all([session, other].map(({ id }) => service.call('DELETE', `/v2/browser/${id}`)))
    // Either the page alone ended because of its own limit, or the browser and its session ended.
    if (own !== undefined && ending !== 'out of memory')
      return `it ended by ${ending}: ${JSON.stringify(result)}`
    return harm ?? after
  },
})

attackClass({
  name: 'DevTools clients that do not read',
  vectors: [
    { name: 'results', expression: "'x'.repeat(8e6)", times: 3 },
    { name: 'events', expression: "setInterval(() => console.log('y'.repeat(1e6)), 20)", times: 1 },
  ],
  async run(vector) {
    const session = await open()
    const before = { handles: countHandles(), resident: residentMegabytes() }
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectWithoutReading(session, vector)))
    // The test's own calls also open and close handles, so measure after the clients were disconnected.
    const { result: remaining, harm } = await withHealthChecks(async () => {
      let now = countHandles()
      for (let tries = 0; tries < 500 && now > before.handles + 4; tries += 1) {
        await sleep(100)
        now = countHandles()
      }
      return now
    })
    const grown = { handles: remaining - before.handles, megabytes: residentMegabytes() - before.resident }
    for (const client of clients) client.terminate()
    const after = await harmToOther(session)
    await service.call('DELETE', `/v2/browser/${session.id}`)
    if (grown.handles > 4) return 'they are still connected'
    if (grown.megabytes > 500) return `the service grew by ${Math.round(grown.megabytes)} MB`
    return harm ?? after
  },
})

/** Requests more data than may stay unread, and reads none of it. */
async function connectWithoutReading(
  { cdpUrl }: Session,
  { expression, times }: { expression: string; times: number },
): Promise<WebSocket> {
  const socket = new WebSocket(cdpUrl)
  socket.on('error', () => {})
  await new Promise((resolve) => socket.once('open', resolve))
  const send = (id: number, method: string, params: object, sessionId?: string) =>
    socket.send(JSON.stringify({ id, method, params, sessionId }))
  const page = await new Promise<string>((resolve) => {
    socket.on('message', (text) => {
      const { params, result } = JSON.parse(String(text))
      const target = result?.targetInfos?.find(({ type }: { type: string }) => type === 'page')
      if (target) send(2, 'Target.attachToTarget', { targetId: target.targetId, flatten: true })
      if (params?.sessionId) resolve(params.sessionId)
    })
    send(1, 'Target.getTargets', {})
  })
  socket.pause()
  send(3, 'Runtime.enable', {}, page)
  for (let id = 4; id < 4 + times; id += 1) {
    send(id, 'Runtime.evaluate', { expression, returnByValue: true }, page)
  }
  return socket
}
