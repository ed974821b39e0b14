import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt } from '../api.ts'
import { common } from '../deployment.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres.ts'
import { until } from '../servers/until.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { send } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass, isFull } from './attack.ts'
import { type NulVector, nulVectors } from './nul-vectors.ts'

/**
 * PostgreSQL cannot store U+0000 in text, but SQLite can. Both must give the same response to each request, and never
 * 500.
 */
let postgres: PostgresServer
let site: Site
const stores: { name: string; service: RunningService }[] = []
const folders = [temporaryFolder(), temporaryFolder()]

const html = `<!doctype html><html lang="e\u0000n"><head><title>Ti\u0000tle</title>
<meta name="description" content="de\u0000scription"><meta property="og:ti\u0000tle" content="x\u0000y">
<script type="application/ld+json">{"@type":"Product","name":"na\\u0000me","sku":"\\u0000"}</script></head>
<body><h1>He\u0000ading</h1><p>${'Text with a nul \u0000 in it. '.repeat(20)}</p><a href="/a\u0000b">li\u0000nk</a>
<a href="/a&#0;b">link</a><a href="/nul?x=%00">link</a><img src="/p\u0000.png" alt="al\u0000t"></body></html>`

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/nul': ({ response }) => send(response, { 'content-type': 'text/html' }, html),
      '/robots.txt': ({ response }) =>
        send(response, { 'content-type': 'text/plain' }, 'user-agent: *\u0000\nallow: /\u0000'),
    },
  })
  postgres = await startPostgres()
  const databases = { sqlite: {}, postgres: { DATABASE_URL: await postgres.createDatabase() } }
  for (const [name, database] of Object.entries(databases)) {
    const DATA_DIR = folders[stores.length]?.path ?? ''
    stores.push({ name, service: await startService({ ...common, ...database, DATA_DIR }) })
  }
}, 120_000)
afterAll(async () => {
  for (const { service } of stores) await service.kill()
  await postgres.stop()
  await site.stop()
  for (const folder of folders) folder.remove()
})

const callBoth = (method: string, path: string, body?: unknown) =>
  Promise.all(stores.map(({ service }) => callAt(service.url, method, path, { key: common.API_KEY, body })))

/** Covers the time that the jobs of all vectors need, because the crawl is queued after them. */
const maxQueueMs = isFull ? 240_000 : 30_000

attackClass<NulVector>({
  name: 'U+0000 in every string of every request, on both stores',
  vectors: nulVectors('SITE'),
  short: 30,
  concurrency: 6,
  run: async ({ method, path, body }) => {
    const requestBody = body && JSON.parse(JSON.stringify(body).replaceAll('SITE', site.url))
    const responses = await callBoth(method, path, requestBody)
    const statuses = responses.map(({ status, body: { code = '' } }) => `${status} ${code}`.trim())
    // Vectors with the same profile run concurrently, and either service may reject one of them.
    const isSame = statuses[0] === statuses[1] || statuses.includes('409 PROFILE_IN_USE')
    const isHarmless = isSame && !statuses.some((text) => text.endsWith('INTERNAL'))
    return isHarmless ? undefined : `${statuses.join(' on SQLite, ')} on PostgreSQL`
  },
})

describe('U+0000 in stored content', () => {
  it.each([
    ['a page', { url: '/nul', formats: ['markdown', 'html', 'rawHtml', 'links', 'json'], maxAge: 0 }],
    [
      'a tracked page with U+0000 in its tag',
      { url: '/nul', formats: ['markdown', { type: 'changeTracking', tag: 'a\u0000b' }] },
    ],
    ['a profile with U+0000 in its name', { url: '/nul', profile: { name: 'stored\u0000profile' } }],
  ])('gives the same result on both stores for %s', async (_, { url, ...options }) => {
    const body = { url: site.url + url, ...options }
    const first = await callBoth('POST', '/v2/scrape', body)
    const second = await callBoth('POST', '/v2/scrape', body)
    for (const [onSqlite, onPostgres] of [first, second]) {
      expect([onSqlite?.status, onPostgres?.status]).not.toContain(500)
      expect(onPostgres?.body.data?.markdown).toEqual(onSqlite?.body.data?.markdown)
      expect(onPostgres?.body.data?.metadata?.title).toEqual(onSqlite?.body.data?.metadata?.title)
    }
  })

  it('does not fail a crawl with a webhook', { timeout: 2 * maxQueueMs }, async () => {
    const webhook = { url: `${site.url}/hook?a=%00`, metadata: { 'a\u0000b': 'c\u0000d' } }
    const started = await callBoth('POST', '/v2/crawl', { url: `${site.url}/nul`, limit: 4, webhook })
    for (const [index, { body }] of started.entries()) {
      const { url } = stores[index]?.service ?? { url: '' }
      const crawl = () => callAt(url, 'GET', `/v2/crawl/${body.id}`, { key: common.API_KEY })
      const ended = await until('the end of the crawl', maxQueueMs, async () => {
        const response = await crawl()
        return response.body.status === 'scraping' ? undefined : response
      })
      expect(ended.body.status).toBe('completed')
    }
  })

  it('leaves no error in the log of either service', () => {
    for (const { service } of stores)
      expect(
        service
          .output()
          .split('\n')
          .filter((line) => line.includes('"level":"error"')),
      ).toEqual([])
  })
})
