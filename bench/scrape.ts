import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { type Exchange, page as pageOf, sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure, median } from './figure.ts'
import { processorMsOfFamily } from './processor.ts'

const rounds = 400
/** Number of new pages, after which CPU time is counted until the process is idle. */
const newPages = 200
const wordsPerPage = 480

/** Measures the time that a synchronous scrape adds to a fetch of the same page with undici, on loopback. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({ routes: { '/new/:number': sendNewPage } })
  const key = 'fc-bench-key'
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
  })
  const dispatcher = new Agent()
  const page = `${site.url}/article`
  const direct = () => request(page, { dispatcher }).then(({ body }) => body.text())
  const scrape = (options: { url?: string; maxAge?: number; storeInCache?: boolean }) =>
    request(`${service.url}/v2/scrape`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: page, ...options }),
    }).then(async ({ statusCode, body }) => {
      const text = await body.text()
      if (statusCode !== 200) throw new Error(text)
    })
  const times: Record<'direct' | 'fresh' | 'cached' | 'unstored', number[]> = {
    direct: [],
    fresh: [],
    cached: [],
    unstored: [],
  }
  for (let round = -100; round < rounds; round += 1) {
    const measured = {
      direct: await timed(direct),
      fresh: await timed(() => scrape({ maxAge: 0 })),
      unstored: await timed(() => scrape({ maxAge: 0, storeInCache: false })),
      cached: await timed(() => scrape({})),
    }
    if (round < 0) continue
    for (const name of Object.keys(times) as (keyof typeof times)[]) times[name].push(measured[name])
  }
  const pid = service.process.pid ?? 0
  await waitUntilIdle(pid)
  const before = processorMsOfFamily(pid)
  for (let number = 0; number < newPages; number += 1) await scrape({ url: `${site.url}/new/${number}` })
  await waitUntilIdle(pid)
  const cpu = (processorMsOfFamily(pid) - before) / newPages
  await dispatcher.close()
  await service.stop()
  await site.stop()
  folder.remove()
  const bytes = readFileSync(new URL('../test/site/pages/article.html', import.meta.url)).length
  return [
    figure(
      `page of ${(bytes / 1024).toFixed(1)} KB fetched with undici alone (median)`,
      median(times.direct),
      'ms',
    ),
    figure('the same page scraped, Markdown, page kept (median)', median(times.fresh), 'ms'),
    atMost('a scrape adds', median(times.fresh) - median(times.direct), 3, 'ms'),
    figure('a scrape without keeping the page adds', median(times.unstored) - median(times.direct), 'ms'),
    figure('a scrape from the cache takes', median(times.cached), 'ms'),
    atMost(`CPU for a new page of ${wordsPerPage} words until the process rests`, cpu, 45, 'ms'),
  ]
}

function sendNewPage(exchange: Exchange): void {
  const { number } = exchange.params
  sendHtml(exchange, pageOf(`Page ${number}`, createParagraphs(Number(number))))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/**
 * Waits until the process uses almost no CPU time for five seconds, because pages are indexed after their responses.
 */
async function waitUntilIdle(pid: number): Promise<void> {
  for (let quiet = 0, last = processorMsOfFamily(pid); quiet < 5; ) {
    await sleep(1000)
    const now = processorMsOfFamily(pid)
    quiet = now - last <= 30 ? quiet + 1 : 0
    last = now
  }
}

/** Returns text with some words that no other page contains. */
function createParagraphs(number: number): string {
  const words = Array.from({ length: wordsPerPage }, (_, index) =>
    index % 8 === 0
      ? `harbour${number * 7 + index}`
      : (commonWords[(index * 31 + number * 17) % commonWords.length] ?? ''),
  )
  return Array.from(
    { length: wordsPerPage / 60 },
    (_, part) => `<p>${words.slice(part * 60, part * 60 + 60).join(' ')}.</p>`,
  ).join('')
}

const commonWords =
  'the tide comes twice a day and leaves sand in long low waves where boats are moored before winter'.split(
    ' ',
  )
