import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { addTableRow, attackClass, isFull } from './attack.ts'
import { malformedFrame } from './malformed.ts'
import { randomSource } from './random.ts'

let site: Site
let service: OwnService
let otherKey: string
let batchId: string
const bounds = {
  // One address may have half of these, which is more than the clients without a key that connect concurrently.
  MAX_CONNECTIONS: '120',
  MAX_SOCKETS: '12',
  MAX_SOCKETS_PER_TEAM: '4',
  MAX_UPGRADES_PER_ADDRESS: '20',
}
beforeAll(async () => {
  site = await startSite()
  service = await startOwnService(bounds)
  const { stdout } = await runCommand(['key', 'create', '--team', 'other'], service.environment)
  otherKey = /fc-[0-9a-f]{32}/.exec(stdout)?.[0] ?? ''
  const body = { urls: [`${site.url}/hang`], timeout: 300_000, maxAge: 0 }
  batchId = (await service.call('POST', '/v2/batch/scrape', { body })).body.id
})
afterAll(async () => {
  await service.remove()
  await site.stop()
})

const isAlive = () => service.process.exitCode === null && service.process.signalCode === null
const watchUrl = () => `${service.url.replace('http', 'ws')}/v2/batch/scrape/${batchId}`

/** Connects a watcher. Returns the socket and its outcome: the first message type, a status, or a close code. */
async function watch(key: string): Promise<{ socket: WebSocket; fate: string }> {
  const socket = new WebSocket(watchUrl(), key)
  const fate = await new Promise<string>((resolve) => {
    socket.on('error', () => {})
    socket.once('message', (text) => resolve(JSON.parse(String(text)).type))
    socket.once('unexpected-response', (_, response) => resolve(`status ${response.statusCode}`))
    socket.once('close', (code) => resolve(`closed ${code}`))
  })
  return { socket, fate }
}

describe('upgrades to WebSocket', () => {
  it('without a key leave capacity for clients with a key', async () => {
    const watchers = await Promise.all(Array.from({ length: 50 }, () => watch('fc-wrong')))
    const tally = Map.groupBy(watchers, ({ fate }) => fate)
    // Early connections receive an error message. Connections beyond the limit of their address receive a 429.
    const unexpected = [...tally.keys()].filter((fate) => fate !== 'error' && fate !== 'status 429')
    expect(unexpected).toEqual([])
    expect(tally.get('error')?.length).toBeGreaterThan(0)
    const authorized = await watch(service.key)
    expect(authorized.fate).toBe('catchup')
    authorized.socket.terminate()
    addTableRow({ name: 'upgrades without a key', vectors: 50, hits: 0 })
  })

  it('of one team leave capacity for another team', async () => {
    const own = await Promise.all(Array.from({ length: 8 }, () => watch(service.key)))
    expect(own.filter(({ fate }) => fate === 'catchup')).toHaveLength(4)
    expect(own.filter(({ fate }) => fate === 'status 429')).toHaveLength(4)
    // The job belongs to another team, and the error message shows that the connection was accepted.
    expect((await watch(otherKey)).fate).toBe('error')
    for (const { socket } of own) socket.terminate()
    const next = async () => {
      const { socket, fate } = await watch(service.key)
      socket.terminate()
      return fate
    }
    await expect.poll(next).toBe('catchup')
  })

  it('are closed by the service after a rejection', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    socket.resume()
    await once(socket, 'end')
    // Only a socket that the service has closed answers a write with a reset.
    const reset = new Promise((resolve) => socket.once('error', resolve))
    const writing = setInterval(() => socket.write('x'), 20)
    expect(await reset).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) })
    clearInterval(writing)
  })
})

describe('connections that only stay open', () => {
  it('make room for connections with requests', async () => {
    const { hostname, port } = new URL(service.url)
    const held: Socket[] = []
    for (let index = 0; index < 300; index += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      // Half of the connections send nothing; the other half start a request and never finish it.
      if (index % 2) socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\nx-slow: ')
      held.push(socket)
    }
    const statuses = await Promise.all(Array.from({ length: 20 }, requestHealth))
    addTableRow({ name: 'connections held open', vectors: 300, hits: 0 })
    for (const socket of held) socket.destroy()
    expect(statuses).toEqual(Array(20).fill(200))
  })

  /** Uses a new connection, because a connection kept from an earlier call is idle too and may be closed. */
  function requestHealth(): Promise<number> {
    return new Promise((resolve) => {
      const request = get(`${service.url}/health/live`, { agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.on('error', () => resolve(0))
    })
  }
})

describe('malformed frames', () => {
  const seeds = Array.from({ length: 2000 }, (_, index) => 500_000 + index)

  /** Sends malformed frames on an accepted connection. */
  async function strike(url: string, key: string | undefined, seed: number): Promise<string | undefined> {
    const random = randomSource(seed)
    const socket = key === undefined ? new WebSocket(url) : new WebSocket(url, key)
    socket.on('error', () => {})
    await new Promise<void>((resolve) => {
      socket.once('upgrade', (response) => {
        const { socket: raw } = response
        for (let count = 1 + random.below(3); count > 0; count -= 1) raw.write(malformedFrame(random))
        if (random.isLucky(0.5)) setImmediate(() => (raw as Socket).resetAndDestroy())
        else setTimeout(() => raw.destroy(), 30)
      })
      socket.once('close', () => resolve())
    })
    return isAlive() ? undefined : 'the process has ended'
  }

  attackClass({
    name: 'malformed frames to a watcher',
    vectors: seeds,
    short: 50,
    concurrency: 3,
    run: (seed) => strike(watchUrl(), service.key, seed),
  })

  it("to a session's browser end only their connection", {
    timeout: isFull ? 300_000 : 60_000,
  }, async () => {
    const { body } = await service.call('POST', '/v2/browser', { body: {} })
    const urls = [body.cdpUrl, body.liveViewUrl, body.interactiveLiveViewUrl].map((address: string) =>
      address.replace(/^http/, 'ws'),
    )
    const hits: string[] = []
    const sent = seeds.slice(0, isFull ? 2000 : 45)
    for (const [index, seed] of sent.entries()) {
      const hit = await strike(urls[index % 3] ?? '', undefined, seed)
      if (hit) hits.push(`${seed}: ${hit}`)
    }
    addTableRow({ name: 'malformed frames to a session', vectors: sent.length, hits: hits.length })
    expect(hits).toEqual([])
    const run = {
      code: "await page.goto('data:text/html,<title>well</title>'); console.log(await page.title())",
    }
    const response = await service.call('POST', `/v2/browser/${body.id}/execute`, {
      body: { ...run, language: 'node' },
    })
    expect(response.body.stdout).toContain('well')
    await service.call('DELETE', `/v2/browser/${body.id}`)
    expect(service.output()).not.toContain('"level":"error"')
  })
})
