import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { consoleFolder } from '../test/console.ts'
import { type ConsoleBrowser, startConsoleBrowser } from '../test/console-page.ts'
import { common } from '../test/deployment.ts'
import { until } from '../test/servers/until.ts'
import { startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, median, plain } from './figure.ts'

const key = common.API_KEY
const rows = 10_000
const idleMs = 10_000

/** What the console weighs, how soon it can be used, how a long list scrolls, and what an open page costs the service. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const service = await startService({ ...common, DATA_DIR: folder.path, CONSOLE_PATH: consoleFolder })
  const site = await startSite()
  const browser = await startConsoleBrowser(service.url)
  try {
    return [
      ...(await firstLoad(browser)),
      ...(await longList(browser, service.url, `${site.url}/pages/1`)),
      ...(await idle(browser)),
    ]
  } finally {
    await browser.stop()
    await site.stop()
    await service.stop()
    folder.remove()
  }
}

/** Each time with an empty cache, as someone who comes for the first time. */
async function firstLoad(browser: ConsoleBrowser): Promise<Figure[]> {
  const times: number[] = []
  const sizes: number[] = []
  for (let turn = 0; turn < 5; turn += 1) {
    const page = await browser.visit({ key })
    const size = await countBytes(page)
    const began = performance.now()
    await page.goto('/console/')
    await page.getByRole('textbox', { name: 'url' }).fill('https://example.com')
    times.push(performance.now() - began)
    await page.waitForLoadState('networkidle').catch(() => undefined)
    sizes.push(size())
    await page.context().close()
  }
  return [
    atMost('first load, compressed', median(sizes) / 1000, 250, 'KB'),
    atMost('until an address can be typed (median of 5)', median(times), 1000, 'ms'),
  ]
}

/** Bytes of the console's own files as they come over the wire. */
async function countBytes(page: Page): Promise<() => number> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Network.enable')
  const own = new Set<string>()
  let bytes = 0
  tools.on('Network.responseReceived', ({ requestId, response }) => {
    if (new URL(response.url).pathname.startsWith('/console')) own.add(requestId)
  })
  tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (own.has(requestId)) bytes += encodedDataLength
  })
  return () => bytes
}

/** A job of one page, which the browser receives ten thousand times: the figures are about the list. */
async function longList(browser: ConsoleBrowser, service: string, url: string): Promise<Figure[]> {
  const { id, document } = await batchOfOne(service, url)
  const page = await browser.visit({ key })
  const told = Array.from({ length: rows }, (_, index) => {
    const metadata = {
      ...document.metadata,
      scrapeId: `${id.slice(0, -6)}${100_000 + index}`,
      title: `Page ${index}`,
    }
    return `event: document\ndata: ${JSON.stringify({ ...document, metadata })}\n\n`
  })
  const body = `${told.join('')}event: done\ndata: ${JSON.stringify({ data: [] })}\n\n`
  await page.route(`**/v2/batch/scrape/${id}/events`, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body }),
  )
  await page.goto(`/console/jobs/batch/${id}`)
  await page.getByRole('tab', { name: 'Pages (10,000)' }).waitFor({ timeout: 60_000 })
  const frames = await scroll(page)
  await page.context().close()
  return [
    plain('frames while 10,000 rows are scrolled', frames.length, ''),
    plain('time of a frame (median)', median(frames), 'ms'),
    atMost('longest frame', Math.max(...frames), 200, 'ms'),
  ]
}

interface Document {
  metadata: Record<string, unknown>
}

async function batchOfOne(service: string, url: string): Promise<{ id: string; document: Document }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const address = `${service}/v2/batch/scrape`
  const started = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ urls: [url] }) })
  const { id } = (await started.json()) as { id: string }
  const document = await until('the end of the batch', 60_000, async () => {
    const answer = await fetch(`${address}/${id}`, { headers })
    const { data } = (await answer.json()) as { data: Document[] }
    return data[0]
  })
  return { id, document }
}

/** From the first row to the last in three seconds; answers how long each frame took. */
function scroll(page: Page): Promise<number[]> {
  return page.getByRole('listbox', { name: 'Pages' }).evaluate(async (list) => {
    const frames: number[] = []
    const began = performance.now()
    for (let last = began; last - began < 3000; ) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      frames.push(now - last)
      last = now
      list.scrollTop = ((now - began) / 3000) * list.scrollHeight
    }
    return frames.slice(2)
  })
}

/** Requests of a page that is only open. */
async function idle(browser: ConsoleBrowser): Promise<Figure[]> {
  const page = await browser.visit({ key })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/console/jobs')
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await sleep(3000)
  const before = asked.length
  const streams = asked.filter((path) => path.endsWith('/events')).length
  await sleep(idleMs)
  const during = asked.length - before
  await page.context().close()
  return [
    atMost('event streams of an idle page', streams, 1, ''),
    atMost('requests of an idle page in 10 s', during, 0, ''),
  ]
}
