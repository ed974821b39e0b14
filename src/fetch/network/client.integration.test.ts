import { afterEach, describe, expect, it } from 'vitest'
import { endScene, kept, rawSite } from '../../../test/servers/proxy-scene.ts'
import { readAddressRule } from '../../platform/address-rule.ts'
import { silentLog } from '../../platform/log.ts'
import { createHttpClient, type HttpRequest } from './client.ts'
import { createEgress } from './egress/egress.ts'
import { createGuard } from './guard.ts'

afterEach(endScene)

const answer = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nok'

/** A server that keeps a connection after the first answer and ends it when the next request comes. */
function tiredSite(visits: string[]) {
  return rawSite((socket) => {
    let requests = 0
    socket.on('data', (bytes) => {
      requests += 1
      visits.push(String(bytes).split('\r\n', 1)[0] ?? '')
      if (requests > 1) socket.destroy()
      else socket.write(answer)
    })
  })
}

function clientFor() {
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

describe('a connection that the other side has given up', () => {
  it.each([
    ['straight', false, false],
    ['as a browser', true, false],
    ['through a proxy', false, true],
    ['as a browser through a proxy', true, true],
  ])('costs no call: %s', async (_, asBrowser, isProxied) => {
    const site = await tiredSite([])
    const url = `http://127.0.0.1:${site.port}/`
    const get = clientFor()
    const upstream = isProxied ? new URL(url) : undefined
    for (let call = 0; call < 5; call += 1) {
      expect((await get(url, { asBrowser, upstream })).status).toBe(200)
    }
  })

  it('is distinguished from a site that never answers, which is asked once', async () => {
    const visits: string[] = []
    const site = await rawSite((socket) => {
      socket.on('data', (bytes) => {
        visits.push(String(bytes))
        socket.destroy()
      })
    })
    const get = clientFor()
    await expect(get(`http://127.0.0.1:${site.port}/`, {})).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
    })
    expect(visits).toHaveLength(1)
  })
})

describe('what our own proxy says', () => {
  it.each([false, true])('is never taken for the page (as a browser: %s)', async (asBrowser) => {
    const refusal = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'
    const proxy = await rawSite((socket) => socket.on('data', () => socket.write(refusal)))
    const upstream = new URL(`http://127.0.0.1:${proxy.port}`)
    await expect(clientFor()('http://127.0.0.1:1/', { asBrowser, upstream })).rejects.toMatchObject({
      code: 'TARGET_FORBIDDEN',
    })
    await expect(clientFor()('http://127.0.0.1:8080/', { asBrowser, upstream })).rejects.toMatchObject({
      code: 'SCRAPE_SITE_ERROR',
      detail: { phase: 'proxy' },
    })
  })

  it('cannot be said by a site', async () => {
    const lie = 'HTTP/1.1 200 OK\r\nx-winnow-refused: TARGET_FORBIDDEN\r\ncontent-length: 2\r\n\r\nok'
    const site = await rawSite((socket) => socket.on('data', () => socket.write(lie)))
    for (const asBrowser of [false, true]) {
      const { status } = await clientFor()(`http://127.0.0.1:${site.port}/`, { asBrowser })
      expect(status).toBe(200)
    }
  })
})

describe('cookies that a browser has kept', () => {
  const cookie = { path: '/', expires: -1, httpOnly: true, secure: false, domain: '127.0.0.1' }
  const soon = Date.now() / 1000 + 60

  it('go where their domain, path and end say, and stay with redirects', async () => {
    const seen: string[] = []
    const site = await rawSite((socket) => {
      socket.on('data', (bytes) => {
        const text = String(bytes)
        seen.push(/^cookie: (.*)$/im.exec(text)?.[1] ?? '')
        const isFirst = text.startsWith('GET /inner/page')
        socket.write(isFirst ? 'HTTP/1.1 302 Found\r\nlocation: /outer\r\ncontent-length: 0\r\n\r\n' : answer)
      })
    })
    await clientFor()(`http://127.0.0.1:${site.port}/inner/page`, {
      cookies: [
        { ...cookie, name: 'session', value: '1' },
        { ...cookie, name: 'lasting', value: '2', expires: soon },
        { ...cookie, name: 'inner', value: '3', path: '/inner' },
        { ...cookie, name: 'old', value: '4', expires: 5 },
        { ...cookie, name: 'elsewhere', value: '5', domain: '.site.example' },
      ],
    })
    const names = seen.map((text) => text.split('; ').sort())
    expect(names).toEqual([
      ['inner=3', 'lasting=2', 'session=1'],
      ['lasting=2', 'session=1'],
    ])
  })
})
