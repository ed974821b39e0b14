import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { type Exchange, page, type Routes, sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, median, plain } from './figure.ts'

const key = 'fc-bench-key'
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell'
const mapped = 528
const crawled = 120
/** A script draws one page in this many. */
const everyDrawn = 20
const assets = 15

/** A site of written pages, some of which only a browser can draw: what its other pages cost, scraped, crawled and mapped. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({ routes: mixedSite })
  const service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, CHROMIUM_PATH: chromiumPath },
    ...{ ALLOW_PRIVATE_NETWORK: '127.0.0.1', RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off' },
  })
  const dispatcher = new Agent()
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const answer = await request(service.url + path, {
      ...{ dispatcher, method, bodyTimeout: 0, headersTimeout: 0 },
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(text)
    return JSON.parse(text)
  }
  const scrape = async (path: string) => {
    const began = performance.now()
    await call('POST', '/v2/scrape', { url: site.url + path, maxAge: 0, storeInCache: false })
    return performance.now() - began
  }
  // The first page that needs a browser starts one.
  for (const number of [1, 2]) await scrape(`/app/${number}`)
  let asked = site.requests.length
  const times: number[] = []
  for (let number = 0; number < 20; number += 1) times.push(await scrape(`/pages/text-${number}`))
  const perScrape = (site.requests.length - asked) / times.length
  asked = site.requests.length
  let began = performance.now()
  const { links } = await call('POST', '/v2/map', { url: `${site.url}/list/${mapped}`, filterByPath: false })
  const mapSeconds = (performance.now() - began) / 1000
  const perMapped = (site.requests.length - asked) / links.length
  asked = site.requests.length
  began = performance.now()
  const started = {
    url: `${site.url}/mixed/${crawled}`,
    crawlEntireDomain: true,
    scrapeOptions: { maxAge: 0 },
  }
  const { id } = await call('POST', '/v2/crawl', started)
  let status = { status: 'scraping', completed: 0 }
  while (status.status === 'scraping') {
    await sleep(100)
    status = await call('GET', `/v2/crawl/${id}?limit=1`)
  }
  const crawlMs = performance.now() - began
  const perCrawled = (site.requests.length - asked) / status.completed
  await Promise.all([dispatcher.close(), service.stop(), site.stop()])
  folder.remove()
  return [
    plain('a written page, scraped after two drawn ones (median)', median(times), 'ms'),
    atMost('requests for such a page', perScrape, 1.1, ''),
    plain(`map of ${links.length} pages of that host`, mapSeconds, 's'),
    atMost('requests for each of them', perMapped, 1.2, ''),
    plain(
      `crawl of ${status.completed} pages, one in ${everyDrawn} drawn: time per page`,
      crawlMs / status.completed,
      'ms',
    ),
    plain('requests for each of them', perCrawled, ''),
  ]
}

const mixedSite: Routes = {
  '/list/:count': (exchange) =>
    send(
      exchange,
      'List',
      linksTo(Number(exchange.part.count), (at) => `/pages/text-${at}`),
    ),
  '/mixed/:count': (exchange) =>
    send(
      exchange,
      'Mixed',
      linksTo(Number(exchange.part.count), (at) =>
        at % everyDrawn === 0 ? `/app/${at}` : `/pages/text-${at}`,
      ),
    ),
  '/pages/:name': (exchange) =>
    send(exchange, exchange.part.name ?? '', `<p>${'A sentence of a written page. '.repeat(30)}</p>`),
  '/app/:number': (exchange) =>
    sendHtml(
      exchange,
      `<title>App</title><div id="root"></div><script>root.innerHTML = '<h1>App</h1><p>' + 'Drawn by a script. '.repeat(30)</script>`,
    ),
  '/asset/:name': ({ response }) => response.writeHead(200, { 'content-type': 'text/css' }).end('p{}'),
}

function send(exchange: Exchange, title: string, content: string): void {
  const sheets = Array.from({ length: assets }, (_, at) => `<link rel="stylesheet" href="/asset/${at}.css">`)
  sendHtml(exchange, page(title, content).replace('<title>', `${sheets.join('')}<title>`))
}

function linksTo(count: number, path: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => `<a href="${path(at)}">Page ${at}</a>`).join(' ')
}
