import { atMost, type Figure, figure } from '../figure.ts'
import { measureTimes, median, percentile, startLinkTrap, startScene } from './scene.ts'

const quietMs = Number(process.env.QUIET_MS ?? 6000)
const loadedMs = Number(process.env.LOADED_MS ?? 25_000)

/**
 * Measures single scrapes of one team, while another team runs a crawl of an endless site and a batch of 10,000 pages.
 */
export async function measureBackground(): Promise<Figure[]> {
  const scene = await startScene()
  const trap = await startLinkTrap(Number(process.env.LINKS ?? 2000))
  const page = `${scene.site.url}/article`
  const scrape = () => scene.modest('POST', '/v2/scrape', { url: page, maxAge: 0 })
  const health = () => scene.modest('GET', '/health/live')
  try {
    await measureTimes(scrape, { forMs: 2000, pause: 10 })
    const [quiet, quietHealth] = await measureBoth(scrape, health, quietMs)
    const startedAt = performance.now()
    const { id } = await scene.greedy('POST', '/v2/crawl', {
      ...{ url: `${trap.url}/trap`, limit: 10_000, sitemap: 'skip', crawlEntireDomain: true },
      scrapeOptions: { maxAge: 0 },
    })
    const urls = Array.from({ length: 10_000 }, (_, index) => `${scene.site.url}/ring/${index}?of=10000`)
    const batch = scene.greedy('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
    const [loaded, loadedHealth] = await measureBoth(scrape, health, loadedMs)
    const seconds = (performance.now() - startedAt) / 1000
    const crawled = (await scene.greedy('GET', `/v2/crawl/${id}?limit=1`)).completed
    const batched = (await scene.greedy('GET', `/v2/batch/scrape/${(await batch).id}?limit=1`)).completed
    return [
      figure('health, quiet: p99', percentile(quietHealth, 0.99), 'ms'),
      atMost(
        'health beside a link trap and a batch of 10,000: p99',
        percentile(loadedHealth, 0.99),
        50,
        'ms',
      ),
      figure('the same: longest', Math.max(...loadedHealth), 'ms'),
      figure('a scrape, quiet: median', median(quiet), 'ms'),
      figure('a scrape beside both: median', median(loaded), 'ms'),
      figure('a scrape beside both: p95', percentile(loaded, 0.95), 'ms'),
      atMost('a scrape beside both against quiet', median(loaded) / median(quiet), 2, 'times'),
      figure('pages of the trap and the batch meanwhile', (crawled + batched) / seconds, 'per s'),
    ]
  } finally {
    await trap.stop()
    await scene.stop()
  }
}

async function measureBoth(scrape: () => Promise<unknown>, health: () => Promise<unknown>, forMs: number) {
  return Promise.all([measureTimes(scrape, { forMs, pause: 50 }), measureTimes(health, { forMs, pause: 20 })])
}
