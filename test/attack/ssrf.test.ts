import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, type Json, type OwnService, startOwnService } from '../api.ts'
import { type Canary, startCanary } from '../servers/canary.ts'
import { type DnsServer, startDns } from '../servers/dns.ts'
import { startHttpProxy, type UpstreamProxy } from '../servers/proxy-server.ts'
import { until } from '../servers/until.ts'
import { type Site, startSite } from '../site/site.ts'
import { type AddressForm, addressForms, zone } from './address-forms.ts'
import { addTableRow, attackClass, isFull } from './attack.ts'
import { allDeliveries } from './deliveries.ts'
import { formsPerPage, redirectRoutes, sampleEvenly } from './leading-routes.ts'

/** Only the site is allowed. The canary represents all other servers on this machine and in its network. */
let canary: Canary
let site: Site
let dns: DnsServer
let proxy: UpstreamProxy
let own: OwnService
// Start the canary before the test classes are declared, because the tables contain its port.
canary = await startCanary()
const forms = addressForms(canary.port)
const sampleForms = (count: number) => sampleEvenly(forms, count)
/** Address forms that one page or batch contains. */
const pageForms = isFull ? forms : sampleForms(80)

beforeAll(async () => {
  site = await startSite({ routes: redirectRoutes(canary.port, pageForms) })
  dns = await startDns((name, lookup) => zone[name]?.(lookup))
  proxy = await startHttpProxy(canary.port)
  own = await startOwnService({
    ALLOW_PRIVATE_NETWORK: `127.0.0.1:${site.port},127.0.0.1:${proxy.port}`,
    DNS_SERVERS: dns.address,
    PROXY_ENHANCED_URL: `http://127.0.0.1:${proxy.port}`,
    WEBHOOK_RETRIES: ',',
  })
})
afterAll(async () => {
  await own.remove()
  await Promise.all([site.stop(), dns.stop(), proxy.stop(), canary.stop()])
})

const post = (path: string, body: object) => own.call('POST', path, { body })
const scrape = (url: string, options: object = {}) => post('/v2/scrape', { url, maxAge: 0, ...options })

/** Matches addresses of the zone, and error messages of libraries. */
const internals = /\b(?:127\.0\.0\.1|169\.254\.169\.254|10\.0\.0\.1|93\.184\.216\.34|connect E\w+)\b/

/** Returns the host of a sent URL as the URL standard normalizes it, because responses may contain that form. */
const hostOf = (sent: string) => URL.parse(sent)?.hostname || URL.parse(`http://${sent}`)?.hostname

/** Returns the harm: leaked content, a connection to the canary, or the resolved address of a name. */
function findHarm(content: Json, sent: string): string | undefined {
  const text = JSON.stringify(content) ?? ''
  if (canary.touched.length > 0) return `reached: ${canary.touched.splice(0).join('; ')}`
  if (text.includes(canary.secret)) return 'brought the secret'
  const leaked = internals.exec(text)?.[0]
  if (leaked === undefined || `${sent} ${hostOf(sent)}`.includes(leaked)) return undefined
  return `tells ${leaked}: ${text.slice(0, 200)}`
}

const expectRejected = async (url: string, call: Promise<Answer>) => {
  const { status, body } = await call
  if (status === 200) return `answered 200: ${JSON.stringify(body).slice(0, 300)}`
  return findHarm(body, url)
}

it('has more than 400 forms, and an allowed site', async () => {
  expect(forms.length).toBeGreaterThan(400)
  expect((await scrape(`${site.url}/pages/1`)).status).toBe(200)
})

attackClass<AddressForm>({
  name: 'ssrf: scrape by HTTP',
  vectors: forms,
  short: 60,
  concurrency: 8,
  run: ({ url }) => expectRejected(url, scrape(url, { fastMode: true })),
})

// The upstream proxy resolves names that do not resolve here, as SECURITY.md explains.
const resolvedForms = forms.filter(({ url }) => !/nothing\.test/i.test(url))

attackClass<AddressForm>({
  name: 'ssrf: scrape through a proxy',
  vectors: resolvedForms,
  short: 30,
  concurrency: 8,
  run: async ({ url }) => {
    const harm = await expectRejected(url, scrape(url, { fastMode: true, proxy: 'enhanced' }))
    // The proxy would connect to the canary, so it must not receive any request.
    return (
      harm ?? (proxy.requests.length > 0 ? `asked the proxy: ${proxy.requests.splice(0).join()}` : undefined)
    )
  },
})

attackClass<AddressForm>({
  name: 'ssrf: scrape in the browser',
  vectors: forms,
  short: 8,
  concurrency: 4,
  run: ({ url }) => expectRejected(url, scrape(url, { waitFor: 1 })),
})

attackClass<AddressForm & { status: number }>({
  name: 'ssrf: redirects',
  vectors: forms.map((form, index) => ({ ...form, status: [301, 302, 303, 307, 308][index % 5] ?? 302 })),
  short: 30,
  concurrency: 8,
  run: async ({ url, status }) => {
    const call = scrape(leadTo(url, status), { fastMode: true })
    // As a relative reference, some forms are a path of the site itself.
    const isOfSite = URL.parse(url, site.url)?.origin === new URL(site.url).origin
    return isOfSite ? findHarm((await call).body.data?.markdown, url) : expectRejected(url, call)
  },
})

attackClass<AddressForm>({
  name: 'ssrf: map',
  vectors: forms,
  short: 15,
  concurrency: 8,
  run: async ({ url }) => {
    const { body } = await post('/v2/map', { url, timeout: 5000 })
    return findHarm({ ...body, links: [] }, url)
  },
})

attackClass<AddressForm>({
  name: 'ssrf: crawl',
  vectors: forms,
  short: 12,
  concurrency: 8,
  run: async ({ url }) => {
    const { status, body } = await post('/v2/crawl', { url, limit: 1, scrapeOptions: { fastMode: true } })
    return status === 200 ? findHarmInJob(`/v2/crawl/${body.id}`, url) : findHarm(body, url)
  },
})

attackClass<AddressForm>({
  name: 'ssrf: recordings on a page',
  vectors: forms,
  short: 8,
  concurrency: 4,
  run: async ({ url }) => {
    const response = await scrape(`${site.url}/recording?src=${encodeURIComponent(url)}`, {
      formats: ['audio'],
    })
    return response.body.data?.audio
      ? 'was kept as a file'
      : findHarm(response.body.data?.warning ?? response.body, url)
  },
})

it('withstands ssrf: batch', { timeout: 120_000 }, async () => {
  const urls = pageForms.map(({ url }) => url)
  const { body } = await post('/v2/batch/scrape', { urls, maxAge: 0, fastMode: true, timeout: 10_000 })
  const harm = await findHarmInJob(`/v2/batch/scrape/${body.id}`, urls.join())
  const status = await own.call('GET', `/v2/batch/scrape/${body.id}`)
  addTableRow({ name: 'ssrf: batch', vectors: urls.length, hits: harm ? 1 : 0 })
  expect(harm).toBeUndefined()
  expect(status.body.data).toEqual([])
})

it('withstands ssrf: webhooks', { timeout: 120_000 }, async () => {
  const hits: string[] = []
  let sent = 0
  const testedForms = isFull ? forms : sampleForms(24)
  for (const { url } of testedForms) {
    const { status, body } = await post('/v2/webhooks/test', { webhook: url })
    if (status === 200) sent += 1
    else hits.push(...asList(findHarm(body, url)))
  }
  const deliveries = await until('the end of all deliveries', 60_000, async () => {
    const waiting = await own.call('GET', '/v2/webhooks/deliveries?state=waiting&limit=1')
    return waiting.body.data.length === 0 ? allDeliveries(own) : undefined
  })
  for (const delivery of deliveries) {
    if (delivery.state !== 'failed') hits.push(`${delivery.webhookId} was delivered`)
    hits.push(...asList(findHarm(delivery, '')))
  }
  addTableRow({ name: 'ssrf: webhooks', vectors: testedForms.length, hits: hits.length })
  expect(hits).toEqual([])
  expect(deliveries.length).toBe(sent)
})

it('withstands ssrf: requests of a page in the browser', { timeout: 500_000 }, async () => {
  for (let from = 0; from < pageForms.length; from += formsPerPage) {
    const hitsBefore = site.hits('/asked')
    const response = await scrape(`${site.url}/everything?from=${from}`, {
      waitFor: 3000,
      // The browser queues the last request of the page after all others.
      actions: [{ type: 'wait', selector: '#asked' }],
      formats: ['rawHtml'],
      timeout: 120_000,
    })
    const newHits = site.hits('/asked') - hitsBefore
    expect({ status: response.status, asked: newHits, touched: canary.touched.splice(0) }).toEqual({
      ...{ status: 200, asked: 1, touched: [] },
    })
  }
  addTableRow({ name: 'ssrf: subresources', vectors: 4 * pageForms.length, hits: 0 })
})

const actionsByName: [string, object][] = [
  ['script', { type: 'executeJavascript', script: `location.href = TARGET` }],
  ['window', { type: 'executeJavascript', script: `void window.open(TARGET)` }],
  [
    'request',
    { type: 'executeJavascript', script: `fetch(TARGET, { mode: 'no-cors' }).then(() => 1, () => 0)` },
  ],
  ['form', { type: 'click', selector: '#send' }],
  ['link', { type: 'click', selector: '#go' }],
]

attackClass<AddressForm & { place: string; action: object }>({
  name: 'ssrf: actions on a page',
  vectors: sampleForms(isFull ? 40 : 2).flatMap((form) =>
    actionsByName.map(([place, action]) => ({ ...form, place, action })),
  ),
  concurrency: 4,
  run: async ({ url, action }) => {
    const step = JSON.parse(
      JSON.stringify(action).replace('TARGET', JSON.stringify(JSON.stringify(url)).slice(1, -1)),
    )
    const actions = [step, { type: 'wait', milliseconds: 300 }, { type: 'scrape' }]
    const { body } = await scrape(`${site.url}/links?to=${encodeURIComponent(url)}`, { actions })
    return findHarm(body.data?.markdown ?? body, url)
  },
})

attackClass({
  name: 'ssrf: robots.txt, sitemaps and feeds',
  vectors: ['skip', 'include', 'only'].flatMap((sitemap) =>
    ['/v2/map', '/v2/crawl'].map((path) => ({ path, sitemap })),
  ),
  run: async ({ path, sitemap }) => {
    const { body } = await post(path, {
      url: `${site.url}/links`,
      sitemap,
      limit: 20,
      ignoreCache: path === '/v2/map' ? true : undefined,
    })
    if (path === '/v2/crawl') return findHarmInJob(`/v2/crawl/${body.id}`, '127.0.0.1')
    // The warning names unreadable files with the URL that the site gave.
    return findHarm({ ...body, links: [] }, '127.0.0.1')
  },
})

it('withstands ssrf: navigation in a session', { timeout: isFull ? 600_000 : 120_000 }, async () => {
  const { status, body } = await post('/v2/browser', { ttl: 600 })
  if (status === 503) return
  const urls = sampleForms(isFull ? 400 : 12).map(({ url }) => url)
  // A busy machine needs seconds for each URL. Calls with 25 URLs stay within the time limit.
  for (let start = 0; start < urls.length; start += 25) {
    const response = await post(`/v2/browser/${body.id}/execute`, {
      code: navigateTo(urls.slice(start, start + 25)),
      timeout: 110,
    })
    expect({
      status: response.status,
      result: response.body.result,
      touched: canary.touched.splice(0),
    }).toEqual({
      ...{ status: 200, result: '[]', touched: [] },
    })
  }
  await own.call('DELETE', `/v2/browser/${body.id}`)
  addTableRow({ name: 'ssrf: navigation in a session', vectors: 2 * urls.length, hits: 0 })
})

const navigateTo = (urls: string[]) => `const seen = []
for (const url of ${JSON.stringify(urls)}) {
  await page.goto(url, { timeout: 3000 }).catch(() => {})
  const text = await page.content().catch(() => '')
  if (text.includes('canary')) seen.push(url)
  // What a data: address holds is in itself.
  if (url.startsWith('data:')) continue
  await fetch(url, { signal: AbortSignal.timeout(200) }).then(() => seen.push('fetch ' + url), () => {})
}
seen`

it('withstands ssrf: links in an uploaded file', async () => {
  const links = forms.map(({ url }) => `<img src="${url}"><a href="${url}">x</a>`).join('')
  const form = new FormData()
  form.append('file', new Blob([`<html><body><p>${'Text. '.repeat(50)}</p>${links}</body></html>`]), 'a.html')
  const response = await fetch(`${own.url}/v2/parse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.key}` },
    body: form,
  })
  addTableRow({ name: 'ssrf: links in a file', vectors: 2 * forms.length, hits: canary.touched.length })
  expect({ status: response.status, touched: canary.touched }).toEqual({ status: 200, touched: [] })
})

const leadTo = (url: string, status: number) =>
  `${site.url}/lead?status=${status}&to=${encodeURIComponent(url)}`

/** Waits for the end of a job with many pages. Returns the harm in its pages and errors. */
async function findHarmInJob(path: string, sent: string): Promise<string | undefined> {
  const ended: Json = await until('the end of the job', 60_000, async () => {
    const { body } = await own.call('GET', path)
    return body.status === 'scraping' ? undefined : body
  })
  const errors = await own.call('GET', `${path}/errors`)
  const texts = errors.body.errors.map(({ code, error }: Json) => ({ code, error }))
  return findHarm({ data: ended.data.map(({ markdown }: Json) => markdown), error: ended.error, texts }, sent)
}

const asList = (harm: string | undefined) => (harm === undefined ? [] : [harm])
