import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { type RunningService, startService, temporaryFolder } from '../test/service.ts'
import { type Site, startSite } from '../test/site/site.ts'
import { atLeast, atMost, type Figure, figure } from './figure.ts'
import { processorMs } from './processor.ts'
import { residentMegabytes } from './start.ts'

const pages = Number(process.env.PAGES ?? 10_000)
const scrapeCount = Math.min(pages, 3000)
const concurrency = 16
const key = 'fc-bench-key'

/** Measures a crawl of 10,000 linked pages against single scrapes of the same pages. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite()
  const service = await startService({
    ...{
      DATA_DIR: folder.path,
      API_KEY: key,
      ALLOW_PRIVATE_NETWORK: '127.0.0.1',
      RATE_PER_MINUTE: '1000000',
    },
    ...{ CHECK_RESPONSES: 'off', TEAM_CONCURRENCY: String(concurrency), LOG_LEVEL: 'warn' },
  })
  const call = createClient(service)
  await scrapeAll(call, site, 300)
  const scrapesPerSecond = await scrapeAll(call, site, scrapeCount)
  const crawl = await crawlAll(call, service, site)
  const shopMap = await mapShop(call, site)
  await call.close()
  await service.stop()
  await site.stop()
  folder.remove()
  return [
    figure('pages scraped one by one', scrapesPerSecond, 'per s'),
    figure('pages crawled', crawl.perSecond, 'per s'),
    atLeast('a crawl against one by one', (crawl.perSecond / scrapesPerSecond) * 100, 70, '%'),
    atMost('growth of memory per 1,000 pages', crawl.growth, 5, 'MB'),
    atMost('processor time per page, last tenth against second', crawl.costRatio * 100, 115, '%'),
    atLeast('products of a shop without a sitemap that a map finds', shopMap.found, 1000, ''),
    figure('time of that map', shopMap.seconds, 's'),
  ]
}

function createClient(service: RunningService) {
  const dispatcher = new Agent({ connections: 64 })
  return Object.assign(
    async (method: 'GET' | 'POST', path: string, body?: object) => {
      const response = await request(service.url + path, {
        dispatcher,
        method,
        headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await response.body.text()
      if (response.statusCode !== 200) throw new Error(text)
      return JSON.parse(text)
    },
    { close: () => dispatcher.close() },
  )
}

type Call = ReturnType<typeof createClient>

async function scrapeAll(call: Call, site: Site, count: number): Promise<number> {
  let next = 0
  const startedAt = performance.now()
  const loop = async () => {
    while (next < count) {
      next += 1
      await call('POST', '/v2/scrape', { url: `${site.url}/ring/${next}?of=${pages}`, maxAge: 0 })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, loop))
  return count / ((performance.now() - startedAt) / 1000)
}

interface Sample {
  at: number
  completed: number
  memory: number
  processorMs: number
}

async function crawlAll(call: Call, service: RunningService, site: Site) {
  const pid = service.process.pid ?? 0
  const startedAt = performance.now()
  const { id } = await call('POST', '/v2/crawl', {
    ...{ url: `${site.url}/ring/1?of=${pages}`, limit: pages, sitemap: 'skip', crawlEntireDomain: true },
    ...{ maxConcurrency: concurrency, scrapeOptions: { maxAge: 0 } },
  })
  const samples: Sample[] = []
  for (let status = 'scraping'; status === 'scraping'; ) {
    await sleep(500)
    const response = await call('GET', `/v2/crawl/${id}?limit=1`)
    status = response.status
    const { completed } = response
    samples.push({
      at: performance.now(),
      completed,
      memory: residentMegabytes(pid),
      processorMs: processorMs(pid),
    })
  }
  const last = samples.at(-1)
  if (!last || last.completed !== pages) throw new Error(`Only ${last?.completed} pages were crawled.`)
  const atPage = (page: number) => samples.find((sample) => sample.completed >= page) ?? last
  const cost = (from: number, to: number) => {
    const [start, end] = [atPage(from), atPage(to)]
    return (end.processorMs - start.processorMs) / (end.completed - start.completed)
  }
  const tenth = pages / 10
  // The heap reaches its size in the first part of the crawl.
  const early = atPage(3 * tenth)
  return {
    perSecond: pages / ((last.at - startedAt) / 1000),
    growth: ((last.memory - early.memory) / (last.completed - early.completed)) * 1000,
    costRatio: cost(pages - tenth, pages) / cost(tenth, 2 * tenth),
  }
}

async function mapShop(call: Call, site: Site) {
  const startedAt = performance.now()
  const { links } = await call('POST', '/v2/map', { url: `${site.url}/shop` })
  const found = links.filter((link: { url: string }) => link.url.includes('/product/')).length
  return { found, seconds: (performance.now() - startedAt) / 1000 }
}
