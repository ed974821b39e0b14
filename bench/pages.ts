import { Parser } from 'htmlparser2'
import { chromium } from 'playwright-core'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { page, sendHtml } from '../test/site/route.ts'
import { type Site, startSite } from '../test/site/site.ts'
import { atLeast, atMost, type Figure, figure } from './figure.ts'

const concurrency = 8
const httpPages = 600
const browserPages = 60
/** Number of alternating rounds. The speed of a machine may change within seconds, so compared loops alternate. */
const rounds = 6
const key = 'fc-bench-key'
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell'

/** Measures pages per second through the service, against a minimal loop with the same result. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({
    routes: { '/long/:number': (exchange) => sendHtml(exchange, longPage(exchange.params.number)) },
  })
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    CHROMIUM_PATH: chromiumPath,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    TEAM_CONCURRENCY: '64',
    CHECK_RESPONSES: 'off',
  })
  const dispatcher = new Agent({ connections: concurrency })
  const scrape = async (options: object) => {
    const response = await request(`${service.url}/v2/scrape`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(options),
    })
    const text = await response.body.text()
    if (response.statusCode !== 200) throw new Error(text)
  }
  const toLongUrl = (index: number) => `${site.url}/long/${index}`
  const http = (index: number) => scrape({ url: toLongUrl(index), maxAge: 0, storeInCache: false })
  const rendered = (index: number) =>
    scrape({ url: toLongUrl(index), maxAge: 0, storeInCache: false, waitFor: 1, blockAds: false })
  await measureRate(200, http)
  const bare = (index: number) => bareFetch(toLongUrl(index), dispatcher)
  const [bareHttp, serviceHttp] = await measureAlternately(httpPages, bare, http)
  await measureRate(8, rendered)
  const [bareBrowser, serviceBrowser] = await compareWithBareBrowser(site, rendered)
  await dispatcher.close()
  await service.stop()
  await site.stop()
  folder.remove()
  return [
    figure('bare loop: fetch and parse, pages of 45 KB', bareHttp, 'per s'),
    figure('scraped over HTTP, Markdown', serviceHttp, 'per s'),
    atLeast('share of the bare loop', (serviceHttp / bareHttp) * 100, 40, '%'),
    figure('bare browser loop: context, goto, content, close', bareBrowser, 'per s'),
    figure('scraped in the browser, Markdown', serviceBrowser, 'per s'),
    atMost('time per page against the bare browser loop', bareBrowser / serviceBrowser, 1.5, 'times'),
  ]
}

type Work = (index: number) => Promise<unknown>

/** Runs two functions alternately. Returns the pages per second of each. */
async function measureAlternately(
  count: number,
  firstWork: Work,
  secondWork: Work,
): Promise<[number, number]> {
  let [first, second] = [0, 0]
  for (let round = 0; round < rounds; round += 1) {
    first += 1 / (await measureRate(count / rounds, firstWork))
    second += 1 / (await measureRate(count / rounds, secondWork))
  }
  return [rounds / first, rounds / second]
}

async function measureRate(count: number, work: Work): Promise<number> {
  let next = 0
  const startedAt = performance.now()
  const loop = async () => {
    while (next < count) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return (count * 1000) / (performance.now() - startedAt)
}

async function bareFetch(url: string, dispatcher: Agent): Promise<void> {
  const { body } = await request(url, { dispatcher })
  const parser = new Parser({ onopentag() {}, ontext() {} })
  parser.end(await body.text())
}

async function compareWithBareBrowser(site: Site, rendered: Work): Promise<[number, number]> {
  const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false })
  const bare = async (index: number) => {
    const context = await browser.newContext()
    const tab = await context.newPage()
    await tab.goto(`${site.url}/long/${index}`)
    await tab.content()
    await context.close()
  }
  await measureRate(8, bare)
  const rates = await measureAlternately(browserPages, bare, rendered)
  await browser.close()
  return rates
}

function longPage(number: string | undefined): string {
  const paragraph = `<p>Page ${number} tells of harbours, <a href="/tides">tides</a> and <em>lights</em>, at some length, as articles do.</p>`
  const sections = Array.from(
    { length: 20 },
    (_, index) => `<h2>Part ${index}</h2>${paragraph.repeat(20)}<ul><li>one</li><li>two</li></ul>`,
  )
  return page(`Long page ${number}`, `<article>${sections.join('\n')}</article>`)
}
