import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass, isWhole, noteInTable } from './attack.ts'
import { malformedFrame } from './malformed.ts'
import { randomSource } from './random.ts'

let site: Site
let service: OwnService
let otherKey: string
let watched: string
const bounds = {
  // One address has half of them: more than the strangers who come at once.
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
  watched = (await service.call('POST', '/v2/batch/scrape', { body })).body.id
})
afterAll(async () => {
  await service.remove()
  await site.stop()
})

const isAlive = () => service.process.exitCode === null && service.process.signalCode === null
const watchUrl = () => `${service.url.replace('http', 'ws')}/v2/batch/scrape/${watched}`

/** A watcher, and how it fared: open, or refused with a status, or closed with a code. */
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

describe('connections that are to become WebSockets', () => {
  it('of strangers leave room for those who have a key', async () => {
    const strangers = await Promise.all(Array.from({ length: 50 }, () => watch('fc-wrong')))
    const tally = Map.groupBy(strangers, ({ fate }) => fate)
    // Those who came in time hear why; those who come while too many of their address stand there meet a 429.
    const others = [...tally.keys()].filter((fate) => fate !== 'error' && fate !== 'status 429')
    expect(others).toEqual([])
    expect(tally.get('error')?.length).toBeGreaterThan(0)
    const genuine = await watch(service.key)
    expect(genuine.fate).toBe('catchup')
    genuine.socket.terminate()
    noteInTable({ name: 'upgrades without a key', vectors: 50, hits: 0 })
  })

  it('of one team leave room for those of another', async () => {
    const own = await Promise.all(Array.from({ length: 8 }, () => watch(service.key)))
    expect(own.filter(({ fate }) => fate === 'catchup')).toHaveLength(4)
    expect(own.filter(({ fate }) => fate === 'status 429')).toHaveLength(4)
    // The job is not theirs, and the error says so: they were let in.
    expect((await watch(otherKey)).fate).toBe('error')
    for (const { socket } of own) socket.terminate()
    const next = async () => {
      const { socket, fate } = await watch(service.key)
      socket.terminate()
      return fate
    }
    await expect.poll(next).toBe('catchup')
  })

  it('that were refused are closed by the service', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('GET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
    socket.resume()
    await once(socket, 'end')
    // Only a socket that is gone on the other side answers a write with a reset.
    const gone = new Promise((resolve) => socket.once('error', resolve))
    const again = setInterval(() => socket.write('x'), 20)
    expect(await gone).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) })
    clearInterval(again)
  })
})

describe('connections that only stay open', () => {
  it('make room for those that ask', async () => {
    const { hostname, port } = new URL(service.url)
    const held: Socket[] = []
    for (let index = 0; index < 300; index += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      // Half of them say nothing, half begin a request and never end it.
      if (index % 2) socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\nx-slow: ')
      held.push(socket)
    }
    const answers = await Promise.all(Array.from({ length: 20 }, askAnew))
    noteInTable({ name: 'connections held open', vectors: 300, hits: 0 })
    for (const socket of held) socket.destroy()
    expect(answers).toEqual(Array(20).fill(200))
  })

  /** On a connection of its own: one that was kept from an earlier call is idle too, and may have to go. */
  function askAnew(): Promise<number> {
    return new Promise((resolve) => {
      const asking = get(`${service.url}/health/live`, { agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      asking.on('error', () => resolve(0))
    })
  }
})

describe('frames', () => {
  const seeds = Array.from({ length: 2000 }, (_, index) => 500_000 + index)

  /** Frames as they are, on a connection that was let in. */
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
    atOnce: 3,
    strike: (seed) => strike(watchUrl(), service.key, seed),
  })

  it('to a browser of a session end their connection alone', {
    timeout: isWhole ? 300_000 : 60_000,
  }, async () => {
    const { body } = await service.call('POST', '/v2/browser', { body: {} })
    const addresses = [body.cdpUrl, body.liveViewUrl, body.interactiveLiveViewUrl].map((address: string) =>
      address.replace(/^http/, 'ws'),
    )
    const hits: string[] = []
    const sent = seeds.slice(0, isWhole ? 2000 : 45)
    for (const [index, seed] of sent.entries()) {
      const hit = await strike(addresses[index % 3] ?? '', undefined, seed)
      if (hit) hits.push(`${seed}: ${hit}`)
    }
    noteInTable({ name: 'malformed frames to a session', vectors: sent.length, hits: hits.length })
    expect(hits).toEqual([])
    const run = {
      code: "await page.goto('data:text/html,<title>well</title>'); console.log(await page.title())",
    }
    const answer = await service.call('POST', `/v2/browser/${body.id}/execute`, {
      body: { ...run, language: 'node' },
    })
    expect(answer.body.stdout).toContain('well')
    await service.call('DELETE', `/v2/browser/${body.id}`)
    expect(service.output()).not.toContain('"level":"error"')
  })
})
