import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { type Exchange, page, type Routes, sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure, median } from './figure.ts'

const key = 'fc-bench-key'
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell'
const mapCount = 528
const crawlCount = 120
/** Interval of pages that a script renders: every 20th page. */
const renderedInterval = 20
const assetCount = 15

/** Measures scrape, crawl and map of static pages, on a site on which some other pages need a browser. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({ routes: mixedSite })
  const service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, CHROMIUM_PATH: chromiumPath },
    ...{ ALLOW_PRIVATE_NETWORK: '127.0.0.1', RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off' },
  })
  const dispatcher = new Agent()
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await request(service.url + path, {
      ...{ dispatcher, method, bodyTimeout: 0, headersTimeout: 0 },
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.body.text()
    if (response.statusCode !== 200) throw new Error(text)
    return JSON.parse(text)
  }
  const scrape = async (path: string) => {
    const startedAt = performance.now()
    await call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, storeInCache: false })
    return performance.now() - startedAt
  }
  // The first page that needs a browser starts the browser.
  for (const number of [1, 2]) await scrape(`/app/${number}`)
  let requestsBefore = site.requests.length
  const times: number[] = []
  for (let number = 0; number < 20; number += 1) times.push(await scrape(`/pages/text-${number}`))
  const requestsPerScrape = (site.requests.length - requestsBefore) / times.length
  requestsBefore = site.requests.length
  let startedAt = performance.now()
  const { links } = await call('POST', '/v2/map', {
    url: `${site.url}/list/${mapCount}`,
    filterByPath: false,
  })
  const mapSeconds = (performance.now() - startedAt) / 1000
  const requestsPerMappedPage = (site.requests.length - requestsBefore) / links.length
  requestsBefore = site.requests.length
  startedAt = performance.now()
  const crawlRequest = {
    url: `${site.url}/mixed/${crawlCount}`,
    crawlEntireDomain: true,
    scrapeOptions: { maxAge: 0 },
  }
  const { id } = await call('POST', '/v2/crawl', crawlRequest)
  let status = { status: 'scraping', completed: 0 }
  while (status.status === 'scraping') {
    await sleep(100)
    status = await call('GET', `/v2/crawl/${id}?limit=1`)
  }
  const crawlMs = performance.now() - startedAt
  const requestsPerCrawledPage = (site.requests.length - requestsBefore) / status.completed
  await Promise.all([dispatcher.close(), service.stop(), site.stop()])
  folder.remove()
  return [
    figure('a written page, scraped after two drawn ones (median)', median(times), 'ms'),
    atMost('requests for such a page', requestsPerScrape, 1.1, ''),
    figure(`map of ${links.length} pages of that host`, mapSeconds, 's'),
    atMost('requests for each of them', requestsPerMappedPage, 1.2, ''),
    figure(
      `crawl of ${status.completed} pages, one in ${renderedInterval} drawn: time per page`,
      crawlMs / status.completed,
      'ms',
    ),
    figure('requests for each of them', requestsPerCrawledPage, ''),
  ]
}

const mixedSite: Routes = {
  '/list/:count': (exchange) =>
    send(
      exchange,
      'List',
      createLinks(Number(exchange.params.count), (index) => `/pages/text-${index}`),
    ),
  '/mixed/:count': (exchange) =>
    send(
      exchange,
      'Mixed',
      createLinks(Number(exchange.params.count), (index) =>
        index % renderedInterval === 0 ? `/app/${index}` : `/pages/text-${index}`,
      ),
    ),
  '/pages/:name': (exchange) =>
    send(exchange, exchange.params.name ?? '', `<p>${'A sentence of a written page. '.repeat(30)}</p>`),
  '/app/:number': (exchange) =>
    sendHtml(
      exchange,
      `<title>App</title><div id="root"></div><script>root.innerHTML = '<h1>App</h1><p>' + 'Drawn by a script. '.repeat(30)</script>`,
    ),
  '/asset/:name': ({ response }) => response.writeHead(200, { 'content-type': 'text/css' }).end('p{}'),
}

function send(exchange: Exchange, title: string, content: string): void {
  const sheets = Array.from(
    { length: assetCount },
    (_, index) => `<link rel="stylesheet" href="/asset/${index}.css">`,
  )
  sendHtml(exchange, page(title, content).replace('<title>', `${sheets.join('')}<title>`))
}

function createLinks(count: number, path: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => `<a href="${path(index)}">Page ${index}</a>`).join(' ')
}
