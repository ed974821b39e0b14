import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { consoleFolder } from '../test/console.ts'
import { type ConsoleBrowser, startConsoleBrowser } from '../test/console-page.ts'
import { common } from '../test/deployment.ts'
import { until } from '../test/servers/until.ts'
import { startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure, median } from './figure.ts'

const key = common.API_KEY
const rows = 10_000
const idleMs = 10_000

/** Measures the size, load time and scroll performance of the console, and the requests of an idle page. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const service = await startService({ ...common, DATA_DIR: folder.path, CONSOLE_PATH: consoleFolder })
  const site = await startSite()
  const browser = await startConsoleBrowser(service.url)
  try {
    return [
      ...(await measureFirstLoad(browser)),
      ...(await measureLongList(browser, service.url, `${site.url}/pages/1`)),
      ...(await measureIdlePage(browser)),
    ]
  } finally {
    await browser.stop()
    await site.stop()
    await service.stop()
    folder.remove()
  }
}

/** Measures loads with an empty cache, as on a first visit. */
async function measureFirstLoad(browser: ConsoleBrowser): Promise<Figure[]> {
  const times: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const page = await browser.visit({ key })
    const size = await countBytes(page)
    const startedAt = performance.now()
    await page.goto('/console/')
    await page.getByRole('textbox', { name: 'url' }).fill('https://example.com')
    times.push(performance.now() - startedAt)
    await page.waitForLoadState('networkidle').catch(() => undefined)
    sizes.push(size())
    await page.context().close()
  }
  return [
    atMost('first load, compressed', median(sizes) / 1000, 250, 'KB'),
    atMost('until an address can be typed (median of 5)', median(times), 1000, 'ms'),
  ]
}

/** Returns a getter of the transferred bytes of the console's files. */
async function countBytes(page: Page): Promise<() => number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const consoleRequests = new Set<string>()
  let bytes = 0
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    if (new URL(response.url).pathname.startsWith('/console')) consoleRequests.add(requestId)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (consoleRequests.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}

/** Measures the list with a batch of one page, which the browser receives 10,000 times. */
async function measureLongList(browser: ConsoleBrowser, service: string, url: string): Promise<Figure[]> {
  const { id, document } = await runSinglePageBatch(service, url)
  const page = await browser.visit({ key })
  const events = Array.from({ length: rows }, (_, index) => {
    const metadata = {
      ...document.metadata,
      scrapeId: `${id.slice(0, -6)}${100_000 + index}`,
      title: `Page ${index}`,
    }
    return `event: document\ndata: ${JSON.stringify({ ...document, metadata })}\n\n`
  })
  const body = `${events.join('')}event: done\ndata: ${JSON.stringify({ data: [] })}\n\n`
  await page.route(`**/v2/batch/scrape/${id}/events`, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body }),
  )
  await page.goto(`/console/jobs/batch/${id}`)
  await page.getByRole('tab', { name: 'Pages (10,000)' }).waitFor({ timeout: 60_000 })
  const frames = await scroll(page)
  await page.context().close()
  return [
    figure('frames while 10,000 rows are scrolled', frames.length, ''),
    figure('time of a frame (median)', median(frames), 'ms'),
    atMost('longest frame', Math.max(...frames), 200, 'ms'),
  ]
}

interface Document {
  metadata: Record<string, unknown>
}

async function runSinglePageBatch(service: string, url: string): Promise<{ id: string; document: Document }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const batchUrl = `${service}/v2/batch/scrape`
  const started = await fetch(batchUrl, { method: 'POST', headers, body: JSON.stringify({ urls: [url] }) })
  const { id } = (await started.json()) as { id: string }
  const document = await until('the end of the batch', 60_000, async () => {
    const response = await fetch(`${batchUrl}/${id}`, { headers })
    const { data } = (await response.json()) as { data: Document[] }
    return data[0]
  })
  return { id, document }
}

/** Scrolls from the first row to the last in three seconds. Returns the duration of each frame. */
function scroll(page: Page): Promise<number[]> {
  return page.getByRole('listbox', { name: 'Pages' }).evaluate(async (list) => {
    const frames: number[] = []
    const startedAt = performance.now()
    for (let last = startedAt; last - startedAt < 3000; ) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      frames.push(now - last)
      last = now
      list.scrollTop = ((now - startedAt) / 3000) * list.scrollHeight
    }
    return frames.slice(2)
  })
}

/** Counts the requests of an idle page. */
async function measureIdlePage(browser: ConsoleBrowser): Promise<Figure[]> {
  const page = await browser.visit({ key })
  const requestedPaths: string[] = []
  page.on('request', (request) => requestedPaths.push(new URL(request.url()).pathname))
  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await sleep(3000)
  const before = requestedPaths.length
  const streams = requestedPaths.filter((path) => path.endsWith('/events')).length
  await sleep(idleMs)
  const during = requestedPaths.length - before
  await page.context().close()
  return [
    atMost('event streams of an idle page', streams, 1, ''),
    atMost('requests of an idle page in 10 s', during, 0, ''),
  ]
}
