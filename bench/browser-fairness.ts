import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand, startService, temporaryFolder } from '../test/service.ts'
import { page, type Routes, sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure, median } from './figure.ts'

const key = 'fc-bench-key'
const pageCount = 16
const rounds = 7
const paragraph = `<p>${'Words of a page that somebody wants to read. '.repeat(8)}</p>`

const routes: Routes = {
  '/busy': (exchange) => sendHtml(exchange, page('Busy', `${paragraph}<script>for (;;) {}</script>`)),
  '/hanging-script': (exchange) =>
    sendHtml(exchange, page('Hanging', `${paragraph}<script src="/hang"></script>`)),
  '/late': (exchange) =>
    sendHtml(exchange, page('Late', `${paragraph}<script>setTimeout(() => { for (;;) {} }, 1500)</script>`)),
}

/** Loads with which one team fills the browser, each with a path and scrape options. */
const loads: [name: string, path: string, options: object][] = [
  ['sites that never answer', '/hang', {}],
  ['scripts that never come', '/hanging-script', {}],
  ['waitFor of 30 seconds', '/pages/1', { waitFor: 30_000 }],
  ['waits among actions', '/pages/1', { actions: [{ type: 'wait', milliseconds: 30_000 }] }],
  ['busy scripts', '/busy', {}],
  ['scripts that become busy while they wait', '/late', { waitFor: 30_000 }],
]

/** Measures the time of a small browser page for one team, while another team occupies the browser with slow pages. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({ routes })
  const environment = {
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'error' },
    ...{ RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off' },
    CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell',
  }
  const service = await startService(environment)
  const { stdout } = await runCommand(['key', 'create', '--team', 'other'], environment)
  const otherKey = /fc-\w+/.exec(stdout)?.[0] ?? ''
  const scrape = (path: string, options: object, caller: { key: string; signal?: AbortSignal }) =>
    fetch(`${service.url}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: site.url + path, waitFor: 1, blockAds: false, maxAge: 0, ...options }),
      ...(caller.signal ? { signal: caller.signal } : {}),
    })
  const scrapeSmallPage = async () => {
    const startedAt = performance.now()
    const response = await scrape('/pages/1', {}, { key: otherKey })
    if (response.status !== 200) throw new Error(await response.text())
    return performance.now() - startedAt
  }
  const measureMedian = async () => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await scrapeSmallPage())
    return median(times)
  }
  await measureMedian()
  const quietMs = await measureMedian()
  const figures: Figure[] = [figure('a small page, quiet (median)', quietMs, 'ms')]
  for (const [name, path, options] of loads) {
    const disconnect = new AbortController()
    const caller = { key, signal: disconnect.signal }
    const visits = Array.from({ length: pageCount }, () =>
      scrape(path, { timeout: 100_000, ...options }, caller).catch(() => undefined),
    )
    await sleep(4000)
    const loadedMs = await measureMedian()
    disconnect.abort()
    await Promise.all(visits)
    await sleep(1500)
    figures.push(atMost(`beside ${pageCount} of ${name}`, loadedMs / quietMs, 3, 'times'))
  }
  await service.stop()
  await site.stop()
  folder.remove()
  return figures
}
