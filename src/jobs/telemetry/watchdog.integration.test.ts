import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type RunningService, startService, temporaryFolder } from '../../../test/service.ts'
import { silentLog } from '../../platform/log.ts'
import { createWatchdog } from './watchdog.ts'

const key = 'fc-watchdog-key'
const folder = temporaryFolder()
let silentSite: Server
let service: RunningService
let scrape: Promise<unknown>

beforeAll(async () => {
  silentSite = createServer(() => {})
  silentSite.listen(0, '127.0.0.1')
  await once(silentSite, 'listening')
  service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', SEARCH_PROVIDERS: 'none' },
    // A debugger is the only way to block the main thread of a service without bugs.
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
  })
  service.mayBlockMainThread = true
  const { port } = silentSite.address() as AddressInfo
  scrape = fetch(`${service.url}/v2/scrape`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-request-id': 'slow-call',
    },
    body: JSON.stringify({ url: `http://127.0.0.1:${port}/` }),
  }).catch(() => undefined)
  await once(silentSite, 'request')
})

afterAll(async () => {
  await service.kill()
  await scrape
  silentSite.closeAllConnections()
  silentSite.close()
  folder.remove()
})

describe('watchdog of the main thread', { timeout: 150_000 }, () => {
  it('ignores a turn that takes three seconds without using the processor', async () => {
    await evaluate('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)')
    expect(service.output()).not.toContain('EVENT_LOOP_BLOCKED')
    expect(await blockedTurns()).toBe(0)
  })

  it('reports a turn of more than a second of processor time, with its stack and the calls in progress', async () => {
    await runInTurn(`function spinForAWhile() {
      const cpu = () => { const { user, system } = process.threadCpuUsage(); return user + system }
      for (const began = cpu(); cpu() - began < 2.5e6; ) for (let i = 0; i < 1e5; i += 1);
    }`)
    await expect.poll(() => reports(), { timeout: 60_000 }).toHaveLength(1)
    const [report] = reports()
    expect(report.inProgress).toContain('slow-call POST /v2/scrape')
    expect(report.stack.join()).toContain('spinForAWhile')
    await expect.poll(blockedTurns, { timeout: 60_000 }).toBe(1)
    await expect.poll(() => service.output(), { timeout: 60_000 }).toContain('EVENT_LOOP_RESUMED')
  })

  it('reports a turn that never ends', async () => {
    const reportsBefore = reports().length
    await runInTurn("function backtrack() { /^(?:a+)+$/.test('a'.repeat(60) + 'b') }")
    await expect.poll(() => reports().length, { timeout: 60_000 }).toBe(reportsBefore + 1)
    expect(reports().at(-1).stack.join()).toContain('backtrack')
  })
})

it('reports a turn that begins after the process was idle', async () => {
  const blocked = Promise.withResolvers<void>()
  const watchdog = createWatchdog({
    log: silentLog,
    logOptions: { level: 'silent', format: 'json' },
    onBlocked: blocked.resolve,
  })
  const endFirst = watchdog.begin('first')
  // Covers a check while work is in progress, and one while none is.
  await sleep(1500)
  endFirst()
  await sleep(2500)
  const endSecond = watchdog.begin('second')
  const cpuMs = () => process.cpuUsage().user / 1000
  for (const startMs = cpuMs(); cpuMs() - startMs < 3000; ) for (let i = 0; i < 1e5; i += 1);
  await blocked.promise
  endSecond()
  watchdog.stop()
})

function reports() {
  const lines = service.output().split('\n')
  return lines.filter((line) => line.includes('"EVENT_LOOP_BLOCKED"')).map((line) => JSON.parse(line))
}

async function blockedTurns(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  return Number(/^winnow_event_loop_blocked_total (\d+)/m.exec(text)?.[1])
}

/** Runs the code in a separate turn: no stack can be read while a debugger message is handled. */
const runInTurn = (code: string) => evaluate(`setTimeout(${code}, 50)`)

async function evaluate(expression: string): Promise<void> {
  const socket = new WebSocket(/ws:\/\/127\.0\.0\.1:\d+\/[\w-]+/.exec(service.output())?.[0] ?? '')
  await once(socket, 'open')
  socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } }))
  await once(socket, 'message')
  socket.close()
}
