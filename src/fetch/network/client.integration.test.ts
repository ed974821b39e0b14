import { afterEach, describe, expect, it } from 'vitest'
import { kept, rawSite, stopResources } from '../../../test/servers/proxy-scene.ts'
import { readAddressRule } from '../../platform/address-rule.ts'
import { silentLog } from '../../platform/log.ts'
import { createHttpClient, type HttpRequest } from './client.ts'
import { createEgress } from './egress/egress.ts'
import { createGuard } from './guard.ts'

afterEach(stopResources)

const okResponse = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nok'

/** Starts a server that keeps a connection open after the first response and closes it on the next request. */
function closingSite(visits: string[]) {
  return rawSite((socket) => {
    let requests = 0
    socket.on('data', (bytes) => {
      requests += 1
      visits.push(String(bytes).split('\r\n', 1)[0] ?? '')
      if (requests > 1) socket.destroy()
      else socket.write(okResponse)
    })
  })
}

function createGet() {
  const guard = createGuard([readAddressRule('127.0.0.1') ?? []].flat())
  const egress = createEgress({ guard, log: silentLog })
  const client = createHttpClient(guard, egress)
  kept({ stop: () => egress.close() })
  kept({ stop: () => client.close() })
  return (url: string, options: Partial<HttpRequest>) =>
    client.get(
      {
        ...{
          owner: { team: 'team', job: 'job' },
          url: new URL(url),
          headers: {},
          callerHeaders: {},
          verifyTls: true,
          bound: () => ({ bound: 'MAX', bytes: 1e6 }),
        },
        ...options,
      },
      AbortSignal.timeout(10_000),
    )
}

describe('a connection that the server closed', () => {
  it.each([
    ['straight', false, false],
    ['as a browser', true, false],
    ['through a proxy', false, true],
    ['as a browser through a proxy', true, true],
  ])('fails no request: %s', async (_, asBrowser, isProxied) => {
    const site = await closingSite([])
    const url = `http://127.0.0.1:${site.port}/`
    const get = createGet()
    const upstream = isProxied ? new URL(url) : undefined
    for (let call = 0; call < 5; call += 1) {
      expect((await get(url, { asBrowser, upstream })).status).toBe(200)
    }
  })

  it('is distinguished from a site that never responds, which gets one request', async () => {
    const visits: string[] = []
    const site = await rawSite((socket) => {
      socket.on('data', (bytes) => {
        visits.push(String(bytes))
        socket.destroy()
      })
    })
    const get = createGet()
    await expect(get(`http://127.0.0.1:${site.port}/`, {})).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
    })
    expect(visits).toHaveLength(1)
  })
})

describe("a refusal of the service's own proxy", () => {
  it.each([false, true])('is never returned as the page (as a browser: %s)', async (asBrowser) => {
    const refusal = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'
    const proxy = await rawSite((socket) => socket.on('data', () => socket.write(refusal)))
    const upstream = new URL(`http://127.0.0.1:${proxy.port}`)
    await expect(createGet()('http://127.0.0.1:1/', { asBrowser, upstream })).rejects.toMatchObject({
      code: 'TARGET_FORBIDDEN',
    })
    await expect(createGet()('http://127.0.0.1:8080/', { asBrowser, upstream })).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      detail: { phase: 'proxy' },
    })
  })

  it('cannot be faked by a site', async () => {
    const response = 'HTTP/1.1 200 OK\r\nx-winnow-refused: TARGET_FORBIDDEN\r\ncontent-length: 2\r\n\r\nok'
    const site = await rawSite((socket) => socket.on('data', () => socket.write(response)))
    for (const asBrowser of [false, true]) {
      const { status } = await createGet()(`http://127.0.0.1:${site.port}/`, { asBrowser })
      expect(status).toBe(200)
    }
  })
})

describe('cookies of a browser', () => {
  const cookie = {
    ...{ path: '/', expires: -1, httpOnly: true, secure: false, domain: '127.0.0.1' },
    sameSite: 'Lax' as const,
  }
  const soon = Date.now() / 1000 + 60

  it('are sent by domain, path and expiry, also after redirects', async () => {
    const cookieHeaders: string[] = []
    const site = await rawSite((socket) => {
      socket.on('data', (bytes) => {
        const text = String(bytes)
        cookieHeaders.push(/^cookie: (.*)$/im.exec(text)?.[1] ?? '')
        const isFirst = text.startsWith('GET /inner/page')
        socket.write(
          isFirst ? 'HTTP/1.1 302 Found\r\nlocation: /outer\r\ncontent-length: 0\r\n\r\n' : okResponse,
        )
      })
    })
    await createGet()(`http://127.0.0.1:${site.port}/inner/page`, {
      cookies: [
        { ...cookie, name: 'session', value: '1' },
        { ...cookie, name: 'lasting', value: '2', expires: soon },
        { ...cookie, name: 'inner', value: '3', path: '/inner' },
        { ...cookie, name: 'old', value: '4', expires: 5 },
        { ...cookie, name: 'elsewhere', value: '5', domain: '.site.example' },
      ],
    })
    const names = cookieHeaders.map((text) => text.split('; ').sort())
    expect(names).toEqual([
      ['inner=3', 'lasting=2', 'session=1'],
      ['lasting=2', 'session=1'],
    ])
  })
})
