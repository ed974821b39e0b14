import { afterEach, describe, expect, it } from 'vitest'
import { connectThrough, getThrough } from '../../../../test/servers/proxy-client.ts'
import {
  rawSite,
  resolverOf,
  site,
  startEgressTo,
  stopResources,
} from '../../../../test/servers/proxy-scene.ts'
import { AppError } from '../../../platform/errors.ts'

afterEach(stopResources)

describe('refusals', () => {
  it.each([
    ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.0.0.1.', '0.0.0.0'],
    ...[
      '10.0.0.1',
      '169.254.169.254',
      '192.168.0.1',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
    ],
    ...['[64:ff9b::7f00:1]', '[fd00::1]', '[fe80::1]', 'localhost', 'localhost.', 'LOCALHOST'],
  ])('apply to %s, in a tunnel and in a plain request', async (host) => {
    const privateSite = await rawSite((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nsecret'))
    const proxy = await startEgressTo([])
    const plain = await getThrough(proxy, `http://${host}:${privateSite.port}/`)
    const tunnel = await connectThrough(proxy, `${host}:${privateSite.port}`)
    expect([plain.status, tunnel.status]).toEqual([403, 403])
    expect([plain.headers, tunnel.headers]).toMatchObject([refusedHeaders, refusedHeaders])
    expect(privateSite.connections()).toBe(0)
  })

  const refusedHeaders = { 'x-winnow-refused': 'TARGET_FORBIDDEN' }

  it('do not contain the IP address of a host name', async () => {
    const proxy = await startEgressTo([], async () => ['10.20.30.40'])
    const response = await getThrough(proxy, 'http://inside.example/')
    expect(response.status).toBe(403)
    expect(JSON.stringify(response)).not.toContain('10.20.30.40')
  })

  it('apply to a name with one private address among public ones', async () => {
    const proxy = await startEgressTo([], await resolverOf(() => ['93.184.216.34', '127.0.0.1']))
    expect((await connectThrough(proxy, 'mixed.example:443')).status).toBe(403)
  })

  it('apply to the current address of a name that has changed its address', async () => {
    const privateSite = await rawSite((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nsecret'))
    const open = { address: '127.0.0.2', port: privateSite.port }
    await rawSite((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nopen'), open)
    const resolve = await resolverOf((_, lookupCount) => [lookupCount === 1 ? '127.0.0.2' : '127.0.0.1'])
    const proxy = await startEgressTo(['127.0.0.2'], resolve)
    const url = `http://changing.example:${privateSite.port}/`
    expect(await getThrough(proxy, url)).toMatchObject({ status: 200, body: 'open' })
    expect(await getThrough(proxy, url)).toMatchObject({ status: 403, headers: refusedHeaders })
    expect(privateSite.connections()).toBe(0)
  })

  it.each([
    ...['clients2.google.com:443', 'update.googleapis.com:80', 'CONTENT-autofill.googleapis.com:443'],
    ...[
      'optimizationguide-pa.googleapis.com:443',
      'edgedl.me.gvt1.com:80',
      'safebrowsing.googleapis.com:443',
    ],
  ])('apply to %s, which browsers call by themselves', async (authority) => {
    const proxy = await startEgressTo([], async () => expect.unreachable())
    expect(await connectThrough(proxy, authority)).toMatchObject({ status: 403, headers: refusedHeaders })
  })

  it('do not apply to a host that pages also use', async () => {
    const { port, host } = await site()
    const proxy = await startEgressTo([port], async () => ['127.0.0.1'])
    expect((await getThrough(proxy, `${host('accounts.google.com')}/article`)).status).toBe(200)
  })

  it.each([
    ...['/', '/article', 'https://site.example/', 'ftp://site.example/', 'http://', 'http:///path'],
    ...['http://user:password@site.example/', 'http://site.example:0/', 'http://site.example:70000/'],
    ...['http://[::1%25lo]/', 'http://127.0.0.1\\@site.example/', '*'],
  ])('reject the request line %s as malformed', async (url) => {
    const proxy = await startEgressTo([], async () => expect.unreachable())
    expect((await getThrough(proxy, url)).status).toBe(400)
  })

  it.each(['site.example', 'site.example:', ':443', 'user@site.example:443', 'site.example:443/path', '/'])(
    'reject a tunnel to %s as malformed',
    async (authority) => {
      const proxy = await startEgressTo([], async () => expect.unreachable())
      expect((await connectThrough(proxy, authority)).status).toBe(400)
    },
  )
})

describe('failures', () => {
  it('of the DNS lookup return SCRAPE_DNS_RESOLUTION_ERROR', async () => {
    const proxy = await startEgressTo([], async () => {
      throw new AppError('SCRAPE_DNS_RESOLUTION_ERROR')
    })
    const expected = { status: 502, headers: { 'x-winnow-refused': 'SCRAPE_DNS_RESOLUTION_ERROR' } }
    expect(await getThrough(proxy, 'http://nowhere.example/')).toMatchObject(expected)
    expect(await connectThrough(proxy, 'nowhere.example:443')).toMatchObject(expected)
  })

  it('of one IP address are followed by an attempt with the next one', async () => {
    const { host } = await site()
    const proxy = await startEgressTo(['127.0.0.0/8'], async () => ['127.0.0.3', '127.0.0.1'])
    expect((await getThrough(proxy, `${host('two.example')}/article`)).status).toBe(200)
  })

  it('of all IP addresses are reported without naming them', async () => {
    const proxy = await startEgressTo(['127.0.0.0/8'], async () => ['127.0.0.4'])
    const answer = await getThrough(proxy, 'http://down.example:9191/')
    expect(answer).toMatchObject({ status: 502, headers: { 'x-winnow-refused': 'SCRAPE_SITE_ERROR' } })
    expect(JSON.stringify(answer)).not.toContain('127.0.0.4')
  })

  it.each([
    ['a reset', ''],
    ['nonsense', 'nonsense\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['a request for proxy credentials', 'HTTP/1.1 407 No\r\nproxy-authenticate: Basic\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}\r\n\r\n`],
  ])('of the site are reported: %s', async (_, answer) => {
    const { port } = await rawSite((socket) =>
      socket.once('data', () => (answer ? socket.end(answer) : socket.resetAndDestroy())),
    )
    const { status, headers } = await getThrough(await startEgressTo([port]), `http://127.0.0.1:${port}/`)
    expect([status, headers['x-winnow-refused']]).toEqual([502, 'SCRAPE_SITE_ERROR'])
  })
})
