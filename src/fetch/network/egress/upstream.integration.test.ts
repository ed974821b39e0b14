import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { connectThrough, getThrough } from '../../../../test/servers/proxy-client.ts'
import { kept, site, stopResources, withProxyUrl } from '../../../../test/servers/proxy-scene.ts'
import { startHttpProxy, startSocksProxy } from '../../../../test/servers/proxy-server.ts'
import { readAddressRule } from '../../../platform/address-rule.ts'
import { AppError } from '../../../platform/errors.ts'
import { silentLog } from '../../../platform/log.ts'
import type { ResolveName } from '../guard.ts'
import { createGuard } from '../guard.ts'
import { createEgress } from './egress.ts'

afterEach(stopResources)

const unknownName: ResolveName = async () => {
  throw new AppError('SCRAPE_DNS_RESOLUTION_ERROR')
}

function createTestEgress(resolveName: ResolveName, ...rules: string[]) {
  const guard = createGuard(
    rules.flatMap((rule) => readAddressRule(rule) ?? []),
    resolveName,
  )
  const egress = createEgress({ guard, log: silentLog })
  kept({ stop: egress.close })
  return withProxyUrl(egress)
}

async function startProxied(start: typeof startHttpProxy, password?: string) {
  const target = await site()
  const proxy = kept(await start(target.port, password === undefined ? {} : { password }))
  return { site: target, proxy }
}

/** Requests a page through a tunnel, without TLS. */
async function getThroughTunnel(proxyUrl: string, authority: string): Promise<string> {
  const { socket } = await connectThrough(proxyUrl, authority)
  socket.write('GET /article HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  const [first] = await once(socket, 'data')
  socket.destroy()
  return String(first).slice(0, 15)
}

describe('upstreamDialer through an HTTP proxy', () => {
  it('sends plain requests with absolute URLs and the configured credentials', async () => {
    const { site, proxy } = await startProxied(startHttpProxy, 'me@work:p%w')
    const url = await createTestEgress(unknownName).proxyUrl(
      new URL(`http://me%40work:p%w@127.0.0.1:${proxy.port}`),
    )
    expect((await getThrough(url, 'http://far.example/article')).status).toBe(200)
    expect(proxy).toMatchObject({
      requests: ['GET http://far.example/article'],
      credentials: ['me@work:p%w'],
    })
    expect(site.requests[0]?.headers.host).toBe('far.example')
  })

  it('sends tunnels with CONNECT and the configured credentials', async () => {
    const { proxy } = await startProxied(startHttpProxy, 'me:secret')
    const url = await createTestEgress(unknownName).proxyUrl(
      new URL(`http://me:secret@127.0.0.1:${proxy.port}`),
    )
    expect(await getThroughTunnel(url, 'far.example:443')).toBe('HTTP/1.1 200 OK')
    expect(proxy).toMatchObject({ requests: ['CONNECT far.example:443'], credentials: ['me:secret'] })
  })

  it('returns 502 for wrong credentials, never 407', async () => {
    const { proxy } = await startProxied(startHttpProxy, 'me:secret')
    const url = await createTestEgress(unknownName).proxyUrl(
      new URL(`http://me:wrong@127.0.0.1:${proxy.port}`),
    )
    expect((await getThrough(url, 'http://far.example/article')).status).toBe(502)
    expect((await connectThrough(url, 'far.example:443')).status).toBe(502)
  })

  it('works with a second egress as the upstream', async () => {
    const { port } = await site()
    const far = await createTestEgress(async () => ['127.0.0.1'], `127.0.0.1:${port}`).proxyUrl(undefined)
    const near = await createTestEgress(unknownName).proxyUrl(new URL(far))
    expect((await getThrough(near, `http://far.example:${port}/article`)).status).toBe(200)
    expect(await getThroughTunnel(near, `far.example:${port}`)).toBe('HTTP/1.1 200 OK')
  })
})

describe('upstreamDialer through a SOCKS5 proxy', () => {
  it.each([
    ['no password', undefined, ''],
    ['a password', 'me:secret', 'me:secret@'],
  ])('sends plain requests and tunnels with %s', async (_, password, userinfo) => {
    const { site, proxy } = await startProxied(startSocksProxy, password)
    const url = await createTestEgress(unknownName).proxyUrl(
      new URL(`socks5://${userinfo}127.0.0.1:${proxy.port}`),
    )
    expect((await getThrough(url, 'http://far.example/article')).status).toBe(200)
    expect(await getThroughTunnel(url, 'far.example:443')).toBe('HTTP/1.1 200 OK')
    expect(proxy).toMatchObject({
      requests: ['far.example:80', 'far.example:443'],
      credentials: [password, password],
    })
    expect(site.hits('/article')).toBe(2)
  })

  it.each([
    ['93.184.216.34', '93.184.216.34:443'],
    ['[2606:4700::1111]', '38.6.71.0.0.0.0.0.0.0.0.0.0.0.17.17:443'],
  ])('sends the IP address %s as an IP address', async (host, expected) => {
    const { proxy } = await startProxied(startSocksProxy)
    const url = await createTestEgress(unknownName).proxyUrl(new URL(`socks5://127.0.0.1:${proxy.port}`))
    expect((await connectThrough(url, `${host}:443`)).status).toBe(200)
    expect(proxy.requests).toEqual([expected])
  })

  it.each(['me:wrong@', ''])('returns 502 for a wrong or missing password: "%s"', async (userinfo) => {
    const { proxy } = await startProxied(startSocksProxy, 'me:secret')
    const url = await createTestEgress(unknownName).proxyUrl(
      new URL(`socks5://${userinfo}127.0.0.1:${proxy.port}`),
    )
    expect((await connectThrough(url, 'far.example:443')).status).toBe(502)
  })
})

describe('the guard with an upstream', () => {
  it.each(['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', '169.254.169.254', 'inside.example'])(
    'rejects %s before the proxy receives a request',
    async (host) => {
      const { proxy } = await startProxied(startHttpProxy)
      const url = await createTestEgress(async () => ['10.0.0.1']).proxyUrl(
        new URL(`http://127.0.0.1:${proxy.port}`),
      )
      expect((await getThrough(url, `http://${host}/`)).status).toBe(403)
      expect((await connectThrough(url, `${host}:443`)).status).toBe(403)
      expect(proxy.requests).toEqual([])
    },
  )

  it.each(['intranet', 'app.localhost', 'metadata.google.internal', 'printer.local'])(
    'does not pass the name %s to the proxy',
    async (host) => {
      const { proxy } = await startProxied(startHttpProxy)
      const url = await createTestEgress(unknownName).proxyUrl(new URL(`http://127.0.0.1:${proxy.port}`))
      expect((await getThrough(url, `http://${host}/`)).status).toBe(502)
      expect(proxy.requests).toEqual([])
    },
  )

  it('passes such a name to the proxy if a rule allows it', async () => {
    const { proxy } = await startProxied(startHttpProxy)
    const egress = createTestEgress(unknownName, 'wiki.internal')
    const url = await egress.proxyUrl(new URL(`http://127.0.0.1:${proxy.port}`))
    expect((await getThrough(url, 'http://wiki.internal/article')).status).toBe(200)
  })
})

it.each(['https://proxy.example', 'socks4://proxy.example', 'ftp://proxy.example'])(
  'rejects %s as an upstream',
  async (upstream) => {
    const refusal = createTestEgress(unknownName).proxyUrl(new URL(upstream))
    await expect(refusal).rejects.toMatchObject({ code: 'OPTION_NOT_AVAILABLE' })
  },
)
