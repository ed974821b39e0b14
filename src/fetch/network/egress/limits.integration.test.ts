import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { connectThrough, exchange, getThrough } from '../../../../test/servers/proxy-client.ts'
import { kept, rawSite, stopResources, withProxyUrl } from '../../../../test/servers/proxy-scene.ts'
import { until } from '../../../../test/servers/until.ts'
import { readAddressRule } from '../../../platform/address-rule.ts'
import { silentLog } from '../../../platform/log.ts'
import { createGuard } from '../guard.ts'
import { createEgress } from './egress.ts'
import { defaultEgressLimits } from './sockets.ts'

const guard = createGuard([readAddressRule('127.0.0.1') ?? expect.unreachable()])
afterEach(stopResources)

function createTestEgress(limits: Partial<typeof defaultEgressLimits>) {
  const egress = createEgress({ guard, log: silentLog }, { ...defaultEgressLimits, ...limits })
  kept({ stop: egress.close })
  return withProxyUrl(egress)
}

/** Starts a site that accepts connections and sends nothing. It closes with its client, unless `stays` is set. */
async function silentSite(options: { stays?: boolean } = {}) {
  return rawSite((socket) => {
    socket.resume()
    if (!options.stays) socket.once('end', () => socket.end())
  })
}

describe('limits', () => {
  it('close a tunnel without data after the idle limit', async () => {
    const { port } = await silentSite()
    const proxy = await createTestEgress({ idle: 100 }).proxyUrl(undefined)
    const { socket } = await connectThrough(proxy, `127.0.0.1:${port}`)
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET')
  })

  it('close a tunnel soon after one side has ended and the other sends nothing', async () => {
    const { port } = await silentSite({ stays: true })
    const proxy = await createTestEgress({ halfClosed: 100 }).proxyUrl(undefined)
    const { socket } = await connectThrough(proxy, `127.0.0.1:${port}`)
    socket.end()
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET')
  })

  it('end a request that the site never answers', async () => {
    const { port } = await silentSite()
    const proxy = await createTestEgress({ idle: 100 }).proxyUrl(undefined)
    await expect(getThrough(proxy, `http://127.0.0.1:${port}/`)).rejects.toThrow('socket hang up')
  })

  it.each(['http', 'socks5'])(
    'apply to an upstream proxy that accepts %s and sends nothing',
    async (scheme) => {
      const { port } = await silentSite()
      const proxy = await createTestEgress({ handshake: 100 }).proxyUrl(
        new URL(`${scheme}://127.0.0.1:${port}`),
      )
      const { status, headers } = await connectThrough(proxy, '93.184.216.34:443')
      expect([status, headers['x-winnow-refused']]).toEqual([504, 'SCRAPE_SITE_ERROR'])
    },
  )

  it('reject connections above the socket limit, and accept new ones after some have closed', async () => {
    const { port } = await silentSite()
    const proxy = await createTestEgress({ sockets: 4 }).proxyUrl(undefined)
    const tunnels = await Promise.all([1, 2].map(() => connectThrough(proxy, `127.0.0.1:${port}`)))
    await expect(connectThrough(proxy, `127.0.0.1:${port}`)).rejects.toThrow()
    for (const { socket } of tunnels) socket.destroy()
    const retried = await until('a free place', 5000, () =>
      connectThrough(proxy, `127.0.0.1:${port}`).catch(() => undefined),
    )
    expect(retried.status).toBe(200)
  })

  it('apply to the headers of a request', async () => {
    const proxy = await createTestEgress({}).proxyUrl(undefined)
    const response = await exchange(
      proxy,
      `GET http://site.example/ HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    )
    expect(response).toContain('431')
  })
})

describe('the egress', () => {
  it('has one listener for each upstream', async () => {
    const egress = createTestEgress({})
    const upstream = () => egress.proxyUrl(new URL('http://proxy.example:3128'))
    const [direct, sameDirect, other, sameOther] = await Promise.all([
      ...[egress.proxyUrl(undefined), egress.proxyUrl(undefined)],
      ...[upstream(), upstream()],
    ])
    expect([sameDirect, sameOther]).toEqual([direct, other])
    expect(direct).not.toBe(other)
  })

  it('continues after malformed requests', async () => {
    const egress = createTestEgress({})
    const proxy = await egress.proxyUrl(undefined)
    for (const bytes of [
      '\0\0\0',
      'GET\r\n\r\n',
      'CONNECT  HTTP/1.1\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\r\n\r\n',
    ]) {
      expect(await exchange(proxy, bytes)).toContain('400')
    }
    expect((await connectThrough(proxy, '10.0.0.1:443')).status).toBe(403)
  })

  it('continues after clients that disconnect at any point', async () => {
    const { port, connections } = await silentSite()
    const proxy = await createTestEgress({}).proxyUrl(undefined)
    const partialRequests = ['', 'CONN', `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\n\r\n`]
    partialRequests.push(`POST http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc`)
    for (const partialRequest of partialRequests) {
      const client = connect(Number(new URL(proxy).port), new URL(proxy).hostname)
      client.on('error', () => {})
      await once(client, 'connect')
      await new Promise((resolve) => client.write(partialRequest, resolve))
      client.resetAndDestroy()
    }
    const { status } = await connectThrough(proxy, `127.0.0.1:${port}`)
    expect([status, connections() > 0]).toEqual([200, true])
  })

  it('closes every connection immediately on close()', async () => {
    const { port } = await silentSite()
    const egress = createTestEgress({})
    const proxy = await egress.proxyUrl(undefined)
    const { socket } = await connectThrough(proxy, `127.0.0.1:${port}`)
    const waiting = getThrough(proxy, `http://127.0.0.1:${port}/`).catch((error: Error) => error.message)
    const idle = connect(Number(new URL(proxy).port), new URL(proxy).hostname)
    await once(idle, 'connect')
    const ended = Promise.allSettled([once(socket.resume(), 'close'), once(idle.resume(), 'close')])
    await egress.close()
    await ended
    expect(await waiting).toMatch(/hang up|ECONN/)
    await expect(egress.proxyUrl(undefined)).rejects.toMatchObject({ code: 'STOPPING' })
  })
})

describe('sockets', () => {
  /** Opens tunnels of a team and counts how many of them are closed later. */
  async function openTunnels(proxy: string, port: number, count: number) {
    const tunnels = await Promise.all(
      Array.from({ length: count }, () => connectThrough(proxy, `127.0.0.1:${port}`)),
    )
    let closedCount = 0
    for (const { socket } of tunnels) {
      socket.on('error', () => {})
      socket.once('close', () => {
        closedCount += 1
      })
    }
    return { sockets: tunnels.map(({ socket }) => socket), gone: () => closedCount }
  }

  it('are taken from the team with the most, idle longest first, for a team below its share', async () => {
    const { port } = await silentSite()
    const egress = createTestEgress({ sockets: 8 })
    const [a, b] = await Promise.all(
      ['a', 'b'].map(async (team) => (await egress.exit({ team, upstream: undefined })).url),
    )
    const large = await openTunnels(a ?? '', port, 4)
    await sleep(20)
    for (const socket of large.sockets.slice(1)) socket.write('still here')
    const small = await openTunnels(b ?? '', port, 1)
    await until('the silent one to go', 5000, async () => large.gone() === 1 || undefined)
    expect(large.sockets[0]?.destroyed).toBe(true)
    // The share of the second team is half of the sockets, so it gets no third one.
    await openTunnels(b ?? '', port, 1)
    await expect(connectThrough(b ?? '', `127.0.0.1:${port}`)).rejects.toThrow()
    expect([large.gone(), small.gone()]).toEqual([2, 0])
  })

  it('are all available to one team if no other team uses any', async () => {
    const { port } = await silentSite()
    const { url } = await createTestEgress({ sockets: 8 }).exit({ team: 'a', upstream: undefined })
    const { sockets } = await openTunnels(url, port, 4)
    expect(sockets).toHaveLength(4)
    await expect(connectThrough(url, `127.0.0.1:${port}`)).rejects.toThrow()
  })
})

describe('an exit', () => {
  const direct = { team: 'a', upstream: undefined }

  it('is shared by all calls of a team, and differs between teams', async () => {
    const egress = createTestEgress({})
    const [first, second, other] = await Promise.all([
      egress.exit(direct),
      egress.exit(direct),
      egress.exit({ ...direct, team: 'b' }),
    ])
    expect(second.url).toBe(first.url)
    expect(other.url).not.toBe(first.url)
  })

  it('is closed after it was unused for a while, and opened again', async () => {
    const egress = createTestEgress({ listener: 20 })
    const [first, second] = [await egress.exit(direct), await egress.exit(direct)]
    first.release()
    first.release()
    await sleep(60)
    expect((await getThrough(second.url, 'http://10.0.0.1/')).status).toBe(403)
    second.release()
    await second.closed
    const retried = await egress.exit(direct)
    expect((await getThrough(retried.url, 'http://10.0.0.1/')).status).toBe(403)
  })
})
