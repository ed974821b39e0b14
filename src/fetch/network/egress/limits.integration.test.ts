import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { connectThrough, exchange, getThrough } from '../../../../test/servers/proxy-client.ts'
import { endScene, kept, rawSite } from '../../../../test/servers/proxy-scene.ts'
import { until } from '../../../../test/servers/until.ts'
import { readAddressRule } from '../../../platform/address-rule.ts'
import { silentLog } from '../../../platform/log.ts'
import { createGuard } from '../guard.ts'
import { createEgress } from './egress.ts'
import { usualLimits } from './sockets.ts'

const guard = createGuard([readAddressRule('127.0.0.1') ?? expect.unreachable()])
afterEach(endScene)

function egressWith(limits: Partial<typeof usualLimits>) {
  const egress = createEgress({ guard, log: silentLog }, { ...usualLimits, ...limits })
  kept({ stop: egress.close })
  return egress
}

/** Listens and says nothing; ends with its client, unless `stays` is set. */
async function silentSite(options: { stays?: boolean } = {}) {
  return rawSite((socket) => {
    socket.resume()
    if (!options.stays) socket.once('end', () => socket.end())
  })
}

describe('limits', () => {
  it('end a tunnel in which nothing is said', async () => {
    const { port } = await silentSite()
    const proxy = await egressWith({ idle: 100 }).proxyUrl(undefined)
    const { socket } = await connectThrough(proxy, `127.0.0.1:${port}`)
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET')
  })

  it('end a tunnel soon when one side has ended and the other says nothing more', async () => {
    const { port } = await silentSite({ stays: true })
    const proxy = await egressWith({ lastWords: 100 }).proxyUrl(undefined)
    const { socket } = await connectThrough(proxy, `127.0.0.1:${port}`)
    socket.end()
    await expect(once(socket, 'close')).rejects.toThrow('ECONNRESET')
  })

  it('end a request that the site never answers', async () => {
    const { port } = await silentSite()
    const proxy = await egressWith({ idle: 100 }).proxyUrl(undefined)
    await expect(getThrough(proxy, `http://127.0.0.1:${port}/`)).rejects.toThrow('socket hang up')
  })

  it.each(['http', 'socks5'])('hold for an upstream proxy that takes %s and says nothing', async (scheme) => {
    const { port } = await silentSite()
    const proxy = await egressWith({ greeting: 100 }).proxyUrl(new URL(`${scheme}://127.0.0.1:${port}`))
    const { status, headers } = await connectThrough(proxy, '93.184.216.34:443')
    expect([status, headers['x-winnow-refused']]).toEqual([504, 'SCRAPE_SITE_ERROR'])
  })

  it('turn connections away when too many are open, and take new ones when some have ended', async () => {
    const { port } = await silentSite()
    const proxy = await egressWith({ sockets: 4 }).proxyUrl(undefined)
    const tunnels = await Promise.all([1, 2].map(() => connectThrough(proxy, `127.0.0.1:${port}`)))
    await expect(connectThrough(proxy, `127.0.0.1:${port}`)).rejects.toThrow()
    for (const { socket } of tunnels) socket.destroy()
    const again = await until('a free place', 5000, () =>
      connectThrough(proxy, `127.0.0.1:${port}`).catch(() => undefined),
    )
    expect(again.status).toBe(200)
  })

  it('hold for the headers of a request', async () => {
    const proxy = await egressWith({}).proxyUrl(undefined)
    const answer = await exchange(
      proxy,
      `GET http://site.example/ HTTP/1.1\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`,
    )
    expect(answer).toContain('431')
  })
})

describe('the egress', () => {
  it('has one listener for each upstream', async () => {
    const egress = egressWith({})
    const upstream = () => egress.proxyUrl(new URL('http://proxy.example:3128'))
    const [direct, sameDirect, other, sameOther] = await Promise.all([
      ...[egress.proxyUrl(undefined), egress.proxyUrl(undefined)],
      ...[upstream(), upstream()],
    ])
    expect([sameDirect, sameOther]).toEqual([direct, other])
    expect(direct).not.toBe(other)
  })

  it('goes on after requests that make no sense', async () => {
    const egress = egressWith({})
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

  it('goes on after clients that vanish at any moment', async () => {
    const { port, connections } = await silentSite()
    const proxy = await egressWith({}).proxyUrl(undefined)
    const beginnings = ['', 'CONN', `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x\r\n\r\n`]
    beginnings.push(`POST http://127.0.0.1:${port}/ HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nabc`)
    for (const beginning of beginnings) {
      const client = connect(Number(new URL(proxy).port), new URL(proxy).hostname)
      client.on('error', () => {})
      await once(client, 'connect')
      await new Promise((resolve) => client.write(beginning, resolve))
      client.resetAndDestroy()
    }
    const { status } = await connectThrough(proxy, `127.0.0.1:${port}`)
    expect([status, connections() > 0]).toEqual([200, true])
  })

  it('ends every connection at once when it closes', async () => {
    const { port } = await silentSite()
    const egress = egressWith({})
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
  /** Tunnels of a team that are open, and how many of them have gone since. */
  async function tunnels(proxy: string, port: number, count: number) {
    const opened = await Promise.all(
      Array.from({ length: count }, () => connectThrough(proxy, `127.0.0.1:${port}`)),
    )
    let gone = 0
    for (const { socket } of opened) {
      socket.on('error', () => {})
      socket.once('close', () => {
        gone += 1
      })
    }
    return { sockets: opened.map(({ socket }) => socket), gone: () => gone }
  }

  it('go from the team that has the most to one that has fewer, the most silent first', async () => {
    const { port } = await silentSite()
    const egress = egressWith({ sockets: 8 })
    const [a, b] = await Promise.all(
      ['a', 'b'].map(async (team) => (await egress.exit({ team, upstream: undefined })).url),
    )
    const greedy = await tunnels(a ?? '', port, 4)
    await sleep(20)
    for (const socket of greedy.sockets.slice(1)) socket.write('still here')
    const modest = await tunnels(b ?? '', port, 1)
    await until('the silent one to go', 5000, async () => greedy.gone() === 1 || undefined)
    expect(greedy.sockets[0]?.destroyed).toBe(true)
    // Its share is half of them, and no more.
    await tunnels(b ?? '', port, 1)
    await expect(connectThrough(b ?? '', `127.0.0.1:${port}`)).rejects.toThrow()
    expect([greedy.gone(), modest.gone()]).toEqual([2, 0])
  })

  it('are all there for one team while no other asks', async () => {
    const { port } = await silentSite()
    const { url } = await egressWith({ sockets: 8 }).exit({ team: 'a', upstream: undefined })
    const { sockets } = await tunnels(url, port, 4)
    expect(sockets).toHaveLength(4)
    await expect(connectThrough(url, `127.0.0.1:${port}`)).rejects.toThrow()
  })
})

describe('an exit', () => {
  const direct = { team: 'a', upstream: undefined }

  it('is the same for all calls of a team, and another for another team', async () => {
    const egress = egressWith({})
    const [first, second, other] = await Promise.all([
      egress.exit(direct),
      egress.exit(direct),
      egress.exit({ ...direct, team: 'b' }),
    ])
    expect(second.url).toBe(first.url)
    expect(other.url).not.toBe(first.url)
  })

  it('is closed when nobody has used it for a while, and opened anew', async () => {
    const egress = egressWith({ listener: 20 })
    const [first, second] = [await egress.exit(direct), await egress.exit(direct)]
    first.leave()
    first.leave()
    await sleep(60)
    expect((await getThrough(second.url, 'http://10.0.0.1/')).status).toBe(403)
    second.leave()
    await second.closed
    const again = await egress.exit(direct)
    expect((await getThrough(again.url, 'http://10.0.0.1/')).status).toBe(403)
  })
})
