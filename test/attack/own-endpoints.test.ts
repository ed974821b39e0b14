import { createServer } from 'node:http'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { until } from '../servers/until.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass } from './attack.ts'

// The service must reject its own endpoints even if all addresses of this machine are allowed.

let site: Site
let own: OwnService
const hits: Record<string, number> = {}
const services = ['model', 'search', 'proxy'].map((name) => ({
  name,
  server: createServer((_, response) => {
    hits[name] = (hits[name] ?? 0) + 1
    response.setHeader('content-type', 'text/html').end('<p>internal</p>')
  }).listen(0, '127.0.0.1'),
}))
const portOf = (service: string) => {
  const address = services.find(({ name }) => name === service)?.server.address()
  if (typeof address !== 'object' || address === null) throw new Error(`${service} does not listen.`)
  return address.port
}

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/lead': ({ request, response }) => {
        const to = new URL(request.url ?? '', 'http://site').searchParams.get('to') ?? ''
        response.writeHead(302, { location: to }).end()
      },
    },
  })
  own = await startOwnService({
    HOST: '0.0.0.0',
    ALLOW_PRIVATE_NETWORK: '127.0.0.0/8,0.0.0.0,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16',
    DENY_NETWORK: `127.0.0.9,localhost:${site.port}`,
    MODEL_URL: `http://127.0.0.1:${portOf('model')}/v1`,
    MODEL_KEY: 'key-of-the-model',
    MODEL_NAME: 'model',
    SEARCH_PROVIDERS: 'searxng',
    SEARCH_URLS: `searxng=http://localhost:${portOf('search')}`,
    PROXY_ENHANCED_URL: `http://127.0.0.1:${portOf('proxy')}`,
  })
}, 60_000)
afterAll(async () => {
  await own.remove()
  await site.stop()
  for (const { server } of services) {
    server.closeAllConnections()
    server.close()
  }
})

const externalAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

function targets(): string[] {
  const { port } = new URL(own.url)
  const database = own.environment.DATABASE_URL
  return [
    ...['127.0.0.1', '127.0.0.2', 'localhost', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1']
      .concat(externalAddress === undefined ? [] : [externalAddress])
      .map((host) => `http://${host}:${port}/metrics`),
    ...['127.0.0.1', 'localhost'].flatMap((host) =>
      ['model', 'search'].map((name) => `http://${host}:${portOf(name)}/`),
    ),
    `http://127.0.0.1:${portOf('proxy')}/`,
    ...(database === undefined ? [] : [`http://${new URL(database).host}/`]),
    ...['http://127.87.78.1:80/', 'http://[::ffff:127.87.78.1]:4567/'],
    ...['http://127.0.0.9:8080/', `http://localhost:${site.port}/`, 'http://168.63.129.16/'],
  ]
}

const methods = ['scrape', 'browser', 'webhook', 'redirect', 'crawl'] as const

attackClass({
  name: 'own endpoints: a call that reaches the installation itself',
  vectors: Array.from({ length: 20 }, (_, index) => index).flatMap((index) =>
    methods.map((way) => ({ index, way })),
  ),
  short: 34,
  concurrency: 2,
  run: async ({ index, way }) => {
    const url = targets()[index]
    if (url === undefined) return undefined
    const before = JSON.stringify(hits)
    const { status, body } = await send(way, url)
    if (JSON.stringify(hits) !== before && !url.includes(String(portOf('model'))))
      return `${url} was contacted`
    const text = JSON.stringify(body)
    return text.includes('TARGET_FORBIDDEN') ||
      (way === 'crawl' && status === 200 && body.id !== undefined && (await isEmptyCrawl(body.id)))
      ? undefined
      : `${url} was answered ${status}: ${text.slice(0, 200)}`
  },
})

function send(method: (typeof methods)[number], url: string) {
  const scrape = { maxAge: 0, proxy: 'basic' }
  const redirect = `${site.url}/lead?to=${encodeURIComponent(url)}`
  if (method === 'webhook')
    return own.call('POST', '/v2/batch/scrape', { body: { urls: [site.url], webhook: { url } } })
  if (method === 'crawl') return own.call('POST', '/v2/crawl', { body: { url, limit: 1 } })
  const body = { scrape: { url, fastMode: true }, browser: { url, waitFor: 1 }, redirect: { url: redirect } }[
    method
  ]
  return own.call('POST', '/v2/scrape', { body: { ...scrape, ...body } })
}

async function isEmptyCrawl(id: string): Promise<boolean> {
  const job = await until('the end of the crawl', 30_000, async () => {
    const { body } = await own.call('GET', `/v2/crawl/${id}`)
    return body.status === 'scraping' ? undefined : body
  })
  return (job.data ?? []).every(
    ({ metadata }: { metadata: { error?: string } }) => metadata.error !== undefined,
  )
}

it('still fetches other sites of this machine, and is ready', async () => {
  const { body } = await own.call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/1`, maxAge: 0 } })
  expect(body.data.metadata.title).toBe('Page 1')
  expect((await own.call('GET', '/health/ready')).status).toBe(200)
})
