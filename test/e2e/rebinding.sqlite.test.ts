import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { type DnsServer, startDns } from '../servers/dns.ts'
import { page } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** What each name of the test resolves to, the n-th time it is looked up. */
const names: Record<string, (lookup: number) => string[]> = {
  'steady.test': () => ['127.0.0.2'],
  'changing.test': (lookup) => [lookup === 1 ? '127.0.0.2' : '127.0.0.1'],
  'mixed.test': () => ['127.0.0.2', '127.0.0.1'],
  'mixed-six.test': () => ['127.0.0.2', '::1'],
  'private.test': () => ['10.0.0.1'],
}

/** The zone is asked for any name under these, so that each test has a name that was never looked up. */
function zone(name: string, lookup: number): string[] | undefined {
  return Object.entries(names).find(([known]) => name.endsWith(known))?.[1](lookup)
}

describe('names that lead elsewhere', () => {
  let secret: Site
  let open: Server
  let dns: DnsServer
  let own: OwnService
  const visits: string[] = []
  beforeAll(async () => {
    secret = await startSite()
    // The same port of another address: the one that is allowed.
    open = createServer((request, response) => {
      visits.push(request.url ?? '')
      // Every request on a connection of its own, and so a lookup of its own.
      response.writeHead(200, { 'content-type': 'text/html', connection: 'close' })
      response.end(openPage())
    })
    open.listen(secret.port, '127.0.0.2')
    await once(open, 'listening')
    dns = await startDns(zone)
    own = await startOwnService({
      ...{ DNS_SERVERS: dns.address, ALLOW_PRIVATE_NETWORK: '127.0.0.2', WEBHOOK_RETRIES: ',' },
    })
  })
  afterAll(async () => {
    await own.remove()
    open.closeAllConnections()
    open.close()
    await Promise.all([secret.stop(), dns.stop()])
  })

  const scrape = (host: string, options: object = {}) =>
    own.call('POST', '/v2/scrape', {
      body: { url: `http://${host}:${secret.port}/`, maxAge: 0, blockAds: false, ...options },
    })

  it('are looked up by the servers of the setting', async () => {
    expect((await scrape('steady.test')).body.data.markdown).toContain('allowed')
    expect(dns.lookups('steady.test')).toBe(1)
  })

  it.each([
    ['by HTTP', {}],
    ['in the browser', { waitFor: 1000 }],
  ])('reach the address that was checked, whatever the next lookup says: %s', async (way, options) => {
    const host = `${way.replaceAll(' ', '-')}.changing.test`.toLowerCase()
    const { body } = await scrape(host, options)
    expect(body.data.markdown).toContain('allowed')
    const again = await scrape(host, options)
    expect(again).toMatchObject({ status: 403, body: { code: 'TARGET_FORBIDDEN' } })
    expect(dns.lookups(host)).toBeGreaterThan(1)
    expect(secret.requests).toEqual([])
  })

  it.each(['mixed.test', 'mixed-six.test', 'private.test'])(
    'are refused when one of their addresses is private: %s',
    async (host) => {
      for (const options of [{}, { waitFor: 1 }]) {
        const { status, body } = await scrape(host, options)
        expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
      }
      expect(secret.requests).toEqual([])
    },
  )

  it('are looked at again when a webhook is delivered', async () => {
    const webhook = { url: `http://hook.changing.test:${secret.port}/hook` }
    const { status, body } = await own.call('POST', '/v2/webhooks/test', { body: { webhook } })
    expect(status).toBe(200)
    const delivery = async () => (await own.call('GET', '/v2/webhooks/deliveries')).body.data[0]
    await expect.poll(async () => (await delivery())?.state).toBe('failed')
    expect(await delivery()).toMatchObject({
      webhookId: body.webhookId,
      attempts: [{ error: expect.stringContaining('private') }],
    })
    expect(secret.requests).toEqual([])
  })

  it('are an error of their own when there is no such name', async () => {
    expect((await scrape('nobody.example')).body.code).toBe('SCRAPE_DNS_RESOLUTION_ERROR')
    expect((await scrape('localhost')).body.code).toBe('TARGET_FORBIDDEN')
  })
})

/** Asks its own host again and again; by then the name means another machine. */
function openPage(): string {
  const script = `for (let n = 0; n < 5; n += 1) fetch('/again?' + n).catch(() => {})`
  return page('Allowed', `<p>${'This page is allowed. '.repeat(20)}</p><script>${script}</script>`)
}
