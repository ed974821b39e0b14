import { readPage } from '../src/content/content.ts'
import { buildParts } from '../src/extraction/page-parts/parts.ts'
import { startTrace, type Trace } from '../src/platform/trace/trace.ts'
import { startService, temporaryFolder } from '../test/service.ts'
import { page, sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure } from './figure.ts'
import { processorMs } from './processor.ts'

const rounds = 400
const scrapes = 300
const key = 'fc-bench-key'

/** Measures the processor time of a job's trace against that of a complete scrape of the same page. */
export async function measure(): Promise<Figure[]> {
  const perScrape = await measureScrapeMs()
  const recording = await measureCpuMs(
    rounds * 10,
    async () => void recordTrace().toJson({ includesPrivateFields: true }),
  )
  // The measurements alternate, so that other load on the machine affects both.
  let [plainMs, countedMs] = [0, 0]
  for (let round = 0; round < 8; round += 1) {
    plainMs += await measureCpuMs(rounds / 8, () => readOnce({}))
    countedMs += await measureCpuMs(rounds / 8, () => readOnce({ account: true }))
  }
  const counting = Math.max(0, (countedMs - plainMs) / 8)
  return [
    figure('a scrape over HTTP, page of 45 KB, processor time', perScrape, 'ms'),
    figure('noting and writing the steps of one', recording, 'ms'),
    figure('counting what was kept and left out', counting, 'ms'),
    figure('size of a trace', recordTrace().toJson({ includesPrivateFields: true })?.length ?? 0, 'bytes'),
    atMost('share of a scrape', ((recording + counting) / perScrape) * 100, 3, '%'),
  ]
}

/** Returns the processor time of one run in milliseconds, after a warm-up. */
async function measureCpuMs(count: number, work: () => Promise<unknown>): Promise<number> {
  for (let index = 0; index < count / 4; index += 1) await work()
  const before = process.cpuUsage()
  for (let index = 0; index < count; index += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / count
}

/** Records the steps of a typical scrape that ends in a browser. */
function recordTrace() {
  const trace = startTrace()
  recordTypicalSteps(trace)
  return trace
}

function recordTypicalSteps(trace: Trace): void {
  trace.note({
    ...{ step: 'plan', formats: ['markdown'], cache: 'read', keeps: true, proxy: 'auto', timeoutMs: 60_000 },
    ...{ onlyMainContent: true, includeTags: 0, excludeTags: 0, waitForMs: 0, actions: 0 },
  })
  trace.note({ step: 'cache', result: 'miss' })
  for (const engine of ['http', 'chromium']) {
    trace.note({ step: 'fetch', engine, proxy: 'basic', ms: 120, result: 'page', status: 200, bytes: 45_000 })
    trace.note({ step: 'verdict', kind: 'good' })
  }
  trace.note({ step: 'wait', endedBy: 'at rest', ms: 300 })
  const leftOut = [{ reason: 'not main content', characters: 900, parts: 12 }]
  trace.note({ step: 'read', pageCharacters: 9000, keptCharacters: 8100, leftOut })
  trace.note({ step: 'write', ms: 12, markdownCharacters: 8500, warnings: [] })
}

const html = longPage('1')
const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

async function readOnce(requestedParts: { account?: true }): Promise<unknown> {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const source = { requestedUrl: '', url: 'https://a.example/', status: 200, headers, fetchedAt: 0 }
  const content = readPage({ ...source, bytes: new Uint8Array(), text: html }, options)
  return buildParts(content, source.url, { metadata: true, markdown: true, ...requestedParts })
}

async function measureScrapeMs(): Promise<number> {
  const folder = temporaryFolder()
  const site = await startSite({ routes: { '/long/:number': (exchange) => sendHtml(exchange, html) } })
  const service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', CHECK_RESPONSES: 'off' },
    RATE_PER_MINUTE: '1000000',
  })
  const scrape = async (index: number) => {
    const response = await fetch(`${service.url}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.url}/long/${index}`, maxAge: 0, storeInCache: false }),
    })
    if (!response.ok) throw new Error(await response.text())
    await response.text()
  }
  for (let index = 0; index < scrapes; index += 1) await scrape(index)
  const before = processorMs(service.process.pid ?? 0)
  for (let index = 0; index < scrapes; index += 1) await scrape(index)
  const processorTime = processorMs(service.process.pid ?? 0) - before
  await service.stop()
  await site.stop()
  folder.remove()
  return processorTime / scrapes
}

function longPage(name: string): string {
  const paragraph = 'The tide comes in twice a day, and the boats wait for it at the quay with patience. '
  const sections = Array.from(
    { length: 60 },
    (_, index) =>
      `<h2>Part ${index}</h2><p>${paragraph.repeat(8)}</p><ul><li><a href="/${index}">On</a></li></ul>`,
  )
  const menu = Array.from({ length: 40 }, (_, index) => `<li><a href="/m/${index}">Entry ${index}</a></li>`)
  return page(`Tide ${name}`, `<nav><ul>${menu.join('')}</ul></nav>${sections.join('')}`)
}
