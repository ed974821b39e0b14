import { setTimeout as sleep } from 'node:timers/promises'
import { startService, temporaryFolder } from '../test/service.ts'
import { page, sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { type Figure, figure, median } from './figure.ts'
import { processorMsOfFamily } from './processor.ts'

const pageCount = 400
const rounds = 3
const key = 'fc-bench-key'

/** Measures a crawl of linked articles with default options: pages per second and CPU time per page. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
    LOG_LEVEL: 'warn',
  })
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status !== 200) throw new Error(text)
    return JSON.parse(text)
  }
  const crawlOnce = async () => {
    // Each round has its own port, so no page comes from the cache.
    const site = await startSite({
      routes: {
        '/guide': (exchange) => sendHtml(exchange, createArticle(0)),
        '/guide/:number': (exchange) => sendHtml(exchange, createArticle(Number(exchange.params.number))),
      },
    })
    const [startedAt, cpuBefore] = [performance.now(), processorMsOfFamily(service.process.pid ?? 0)]
    const { id } = await call('POST', '/v2/crawl', { url: `${site.url}/guide` })
    let state = { status: 'scraping', completed: 0 }
    while (state.status === 'scraping') {
      await sleep(100)
      state = await call('GET', `/v2/crawl/${id}?limit=1`)
    }
    const seconds = (performance.now() - startedAt) / 1000
    const cpu = processorMsOfFamily(service.process.pid ?? 0) - cpuBefore
    await site.stop()
    if (state.completed !== pageCount)
      throw new Error(`${state.completed} of ${pageCount} pages were crawled.`)
    return { pagesPerSecond: pageCount / seconds, cpuPerPage: cpu / pageCount }
  }
  const results: Awaited<ReturnType<typeof crawlOnce>>[] = []
  for (let round = 0; round <= rounds; round += 1) results.push(await crawlOnce())
  await service.stop()
  folder.remove()
  const [, ...measured] = results
  return [
    figure(
      `pages of a crawl with default options, ${pageCount} pages of 7 KB (median of ${rounds})`,
      median(measured.map(({ pagesPerSecond }) => pagesPerSecond)),
      'per s',
    ),
    figure(
      'CPU of the service and its processes per page',
      median(measured.map(({ cpuPerPage }) => cpuPerPage)),
      'ms',
    ),
  ]
}

/** Creates a page of the site. Each page links to up to ten later pages; the crawl finds most pages twice. */
function createArticle(number: number): string {
  const next = Array.from({ length: 10 }, (_, index) => number * 5 + index + 1).filter(
    (other) => other < pageCount,
  )
  const links = next.map((other) => `<li><a href="/guide/${other}">Chapter ${other}</a></li>`).join('')
  const paragraph = `<p>Chapter ${number} describes harbours, tides and <em>lights</em>, with the length of an ordinary article and some <a href="/guide">links</a>.</p>`
  const sections = Array.from(
    { length: 8 },
    (_, index) => `<h2>Section ${number}.${index}</h2>${paragraph.repeat(5)}`,
  )
  return page(`Chapter ${number}`, `<nav><ul>${links}</ul></nav><article>${sections.join('\n')}</article>`)
}
