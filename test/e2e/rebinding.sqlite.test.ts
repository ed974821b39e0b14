import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { type DnsServer, startDns } from '../servers/dns.ts'
import { page } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Addresses of each test name, by the number of the lookup. */
const names: Record<string, (lookup: number) => string[]> = {
  'steady.test': () => ['127.0.0.2'],
  'changing.test': (lookup) => [lookup === 1 ? '127.0.0.2' : '127.0.0.1'],
  'mixed.test': () => ['127.0.0.2', '127.0.0.1'],
  'mixed-six.test': () => ['127.0.0.2', '::1'],
  'private.test': () => ['10.0.0.1'],
}

/** Resolves any name under these names, so that each test can use a name that was never looked up. */
function zone(name: string, lookup: number): string[] | undefined {
  return Object.entries(names).find(([suffix]) => name.endsWith(suffix))?.[1](lookup)
}

describe('names that resolve to forbidden addresses', () => {
  let internalSite: Site
  let allowedServer: Server
  let dns: DnsServer
  let own: OwnService
  const visits: string[] = []
  beforeAll(async () => {
    internalSite = await startSite()
    // This server has the same port at another address, which is allowed.
    allowedServer = createServer((request, response) => {
      visits.push(request.url ?? '')
      // Each request uses a new connection, and so a new lookup.
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' })
      response.end(allowedPage())
    })
    allowedServer.listen(internalSite.port, '127.0.0.2')
    await once(allowedServer, 'listening')
    dns = await startDns(zone)
    own = await startOwnService({
      ...{ DNS_SERVERS: dns.address, ALLOW_PRIVATE_NETWORK: '127.0.0.2', WEBHOOK_RETRIES: ',' },
    })
  })
  afterAll(async () => {
    await own.remove()
    allowedServer.closeAllConnections()
    allowedServer.close()
    await Promise.all([internalSite.stop(), dns.stop()])
  })

  const scrape = (host: string, options: object = {}) =>
    own.call('POST', '/v2/scrape', {
      body: { url: `http://${host}:${internalSite.port}/`, maxAge: 0, blockAds: false, ...options },
    })

  it('are looked up by the configured servers', async () => {
    expect((await scrape('steady.test')).body.data.markdown).toContain('allowed')
    expect(dns.lookups('steady.test')).toBe(1)
  })

  it.each([
    ['by HTTP', {}],
    ['in the browser', { waitFor: 1000 }],
  ])('are fetched from the checked address, regardless of the next lookup: %s', async (mode, options) => {
    const host = `${mode.replaceAll(' ', '-')}.changing.test`.toLowerCase()
    const { body } = await scrape(host, options)
    expect(body.data.markdown).toContain('allowed')
    const again = await scrape(host, options)
    expect(again).toMatchObject({ status: 403, body: { code: 'TARGET_FORBIDDEN' } })
    expect(dns.lookups(host)).toBeGreaterThan(1)
    expect(internalSite.requests).toEqual([])
  })

  it.each(['mixed.test', 'mixed-six.test', 'private.test'])(
    'are rejected if one of their addresses is private: %s',
    async (host) => {
      for (const options of [{}, { waitFor: 1 }]) {
        const { status, body } = await scrape(host, options)
        expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
      }
      expect(internalSite.requests).toEqual([])
    },
  )

  it('are checked again when a webhook is delivered', async () => {
    const webhook = { url: `http://hook.changing.test:${internalSite.port}/hook` }
    const { status, body } = await own.call('POST', '/v2/webhooks/test', { body: { webhook } })
    expect(status).toBe(200)
    const delivery = async () => (await own.call('GET', '/v2/webhooks/deliveries')).body.data[0]
    await expect.poll(async () => (await delivery())?.state).toBe('failed')
    expect(await delivery()).toMatchObject({
      webhookId: body.webhookId,
      attempts: [{ error: expect.stringContaining('private') }],
    })
    expect(internalSite.requests).toEqual([])
  })

  it('return a specific error if they do not exist', async () => {
    expect((await scrape('nobody.example')).body.code).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    expect((await scrape('localhost')).body.code).toBe('TARGET_FORBIDDEN')
  })
})

/** Returns a page that requests its own host repeatedly. By then, the name resolves to another address. */
function allowedPage(): string {
  const script = `for (let n = 0; n < 5; n += 1) fetch('/again?' + n).catch(() => {})`
  return page('Allowed', `<p>${'This page is allowed. '.repeat(20)}</p><script>${script}</script>`)
}
