import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { type AuthenticatingSite, startAuthenticatingSite } from '../servers/authenticating-site.ts'
import { startSocksProxy, type UpstreamProxy } from '../servers/proxy-server.ts'
import { until } from '../servers/until.ts'
import { attackClass, isFull } from './attack.ts'

/** Sites that authenticate connections: one team signs in, and no other team may get its page. */
let sites: Record<'http' | 'https', AuthenticatingSite>
let direct: OwnService
let proxied: OwnService
let proxy: UpstreamProxy
const otherKeys = new Map<OwnService, string>()

const secret = 'Negotiate secret-of-the-first-team'

beforeAll(async () => {
  const [http, https] = await Promise.all([startAuthenticatingSite('http'), startAuthenticatingSite('https')])
  sites = { http, https }
  proxy = await startSocksProxy(Number(new URL(http.url).port))
  direct = await startOwnService()
  proxied = await startOwnService({
    PROXY_BASIC_URL: `socks5://127.0.0.1:${proxy.port}`,
    PROXY_ENHANCED_URL: `socks5://127.0.0.1:${proxy.port}`,
  })
  for (const service of [direct, proxied]) otherKeys.set(service, await service.newTeam())
}, 90_000)
afterAll(async () => {
  await Promise.all([direct.remove(), proxied.remove()])
  await Promise.all([sites.http.stop(), sites.https.stop(), proxy.stop()])
})

interface Route {
  scheme: 'http' | 'https'
  engine: 'http' | 'fingerprint' | 'browser'
  isProxied: boolean
}

const routes: Route[] = (['http', 'fingerprint', 'browser'] as const).flatMap((engine) => [
  { scheme: 'http', engine, isProxied: false },
  { scheme: 'https', engine, isProxied: false },
  { scheme: 'http', engine, isProxied: true },
])

const options = {
  http: { fastMode: true, proxy: 'basic' },
  fingerprint: { fastMode: true, proxy: 'enhanced' },
  browser: { waitFor: 1, proxy: 'basic' },
}

/**
 * Signs in with the first team. Then fetches with the other team, and again with the first team without credentials.
 */
attackClass({
  name: 'connections: an authenticated connection used by another call',
  vectors: routes,
  timeout: 150_000,
  run: async (route) => {
    const { scheme, engine, isProxied } = route
    const service = isProxied ? proxied : direct
    const fetch = async (key: string, headers: Record<string, string>) => {
      const url = `${sites[scheme].url}/${engine}`
      const body = { url, headers, maxAge: 0, skipTlsVerification: true, ...options[engine] }
      const { status, body: responseBody } = await callAt(service.url, 'POST', '/v2/scrape', { key, body })
      return status === 200 ? String(responseBody.data.markdown) : `failed: ${JSON.stringify(responseBody)}`
    }
    const kinds = [{ authorization: secret }, { cookie: `session=${secret}` }]
    // In the short form a route uses one kind of credentials. Across the routes, every engine and scheme uses both
    // kinds.
    for (const credentials of isFull
      ? kinds
      : kinds.filter((_, index) => index === routes.indexOf(route) % 2)) {
      const signedIn = await Promise.all([1, 2].map(() => fetch(service.key, credentials)))
      if (!signedIn.every((page) => page.includes(secret))) return `not signed in: ${signedIn[0]}`
      for (const key of [otherKeys.get(service) ?? '', service.key]) {
        for (const page of await Promise.all([1, 2].map(() => fetch(key, {})))) {
          if (page.includes(secret)) return `a call without credentials got the page of the account`
          if (!page.includes('Account')) return page
        }
      }
    }
    return undefined
  },
})

attackClass({
  name: 'connections: an authenticated connection used by the crawl or batch of another team',
  vectors: ['crawl', 'batch'],
  run: async (kind) => {
    const { url } = sites.http
    const path = kind === 'crawl' ? '/v2/crawl' : '/v2/batch/scrape'
    const urls = [1, 2, 3, 4].map((page) => `${url}/page/${page}`)
    const toBody = (scrapeOptions: object) =>
      kind === 'crawl'
        ? { url: `${url}/page/1`, limit: 4, sitemap: 'skip', crawlEntireDomain: true, scrapeOptions }
        : { urls, ...scrapeOptions }
    const run = async (key: string, headers: object) => {
      const body = toBody({ headers, maxAge: 0, fastMode: true, proxy: 'basic' })
      const { id } = (await callAt(direct.url, 'POST', path, { key, body })).body
      const done = await until('the end of the job', 30_000, async () => {
        const { body: job } = await callAt(direct.url, 'GET', `${path}/${id}`, { key })
        return job.status === 'completed' ? job : undefined
      })
      return done.data.map(({ markdown }: Json) => String(markdown))
    }
    const firstPages = await run(direct.key, { authorization: secret })
    if (firstPages.length === 0 || !firstPages.every((page: string) => page.includes(secret)))
      return `not signed in: ${firstPages[0]}`
    const otherPages = await run(otherKeys.get(direct) ?? '', {})
    if (otherPages.length < 4) return `only ${otherPages.length} pages`
    return otherPages.some((page: string) => page.includes(secret))
      ? 'got a page of the account of the other team'
      : undefined
  },
})

it('sends webhooks of two teams, and of two jobs of one team, on separate connections', async () => {
  const jobs = new Map<Socket, Set<string>>()
  let deliveries = 0
  const receiver = createServer((request, response) => {
    const job = String(request.headers['x-job'])
    jobs.set(request.socket, (jobs.get(request.socket) ?? new Set()).add(job))
    request.resume().on('end', () => {
      deliveries += 1
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  receiver.keepAliveTimeout = 60_000
  try {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const keys = [direct.key, direct.key, otherKeys.get(direct) ?? '']
    for (const [index, key] of keys.entries()) {
      const webhook = { url, headers: { 'x-job': String(index) } }
      const body = { urls: [`${sites.http.url}/hook/1`, `${sites.http.url}/hook/2`], webhook, fastMode: true }
      await callAt(direct.url, 'POST', '/v2/batch/scrape', { key, body })
      // Wait for all events (started, two pages, completed) before the next job, so that the connection is idle by
      // then.
      await until('the deliveries', 30_000, async () => (deliveries === 4 * (index + 1) ? true : undefined))
    }
    expect([...jobs.values()].filter((jobsOfSocket) => jobsOfSocket.size > 1)).toEqual([])
  } finally {
    receiver.closeAllConnections()
    receiver.close()
  }
})

it('uses one connection for several pages of one batch', async () => {
  const site = await startAuthenticatingSite('http')
  try {
    const urls = Array.from({ length: 40 }, (_, page) => `${site.url}/page/${page}`)
    const path = '/v2/batch/scrape'
    const body = { urls, maxAge: 0, fastMode: true, proxy: 'basic', maxConcurrency: 2 }
    const { id } = (await direct.call('POST', path, { body })).body
    await until('the end of the batch', 30_000, async () =>
      (await direct.call('GET', `${path}/${id}`)).body.status === 'completed' ? true : undefined,
    )
    expect(site.requests()).toBe(40)
    expect(site.connections()).toBeLessThan(20)
  } finally {
    await site.stop()
  }
})
