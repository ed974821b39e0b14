import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { type RunningService, startService, temporaryFolder } from '../test/service.ts'
import { type WorstPage, worstPages } from '../test/site/worst-pages.ts'
import { type Figure, MeasureError } from './figure.ts'
import { measureCalls } from './health/measure-calls.ts'
import type { Sample } from './health-poll.ts'

const key = 'fc-bench-key'
const pageBytes = 31 * 1024 * 1024
const bombBytes = 1024 * 1024 * 1024
const formats = ['markdown', 'html', 'links', 'rawHtml']
const bound = 50

interface Case {
  name: string
  call: () => Promise<string>
}

/**
 * Measures the response time of the liveness check during the worst page of each kind and the worst calls of every
 * route. Other load on the machine increases it; the quiet row of the same run shows how much. `--pages` measures only
 * the pages, `--calls` only the calls, and `--calls=text` only the calls whose route contains the text.
 */
export async function measure(options: string[] = []): Promise<Figure[]> {
  const unknownOption = options.find((option) => !/^--(?:pages|calls(?:=.+)?)$/.test(option))
  if (unknownOption !== undefined)
    throw new MeasureError(`No such option: ${unknownOption}. There are --pages, --calls and --calls=text.`)
  const calls = options.find((option) => option.startsWith('--calls'))
  const pages = options.length === 0 || options.includes('--pages') ? await measurePages() : []
  if (options.length > 0 && calls === undefined) return pages
  return [...pages, ...(await measureCalls(calls?.slice('--calls='.length) ?? '', createFigure))]
}

async function measurePages(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startWorstSite()
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
    LOG_LEVEL: 'error',
  })
  const poller = new Worker(new URL('./health-poll.ts', import.meta.url), {
    workerData: { url: service.url, pid: service.process.pid },
  })
  const takeSamples = async (): Promise<Sample[]> => {
    poller.postMessage('take')
    const [samples] = await once(poller, 'message')
    return samples
  }
  const figures: Figure[] = []
  try {
    for (const { name, call } of createCases(service, site.url)) {
      resetPeak(service)
      await takeSamples()
      const startedAt = performance.now()
      const outcome = await call()
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      figures.push(
        createFigure(`${name} (${outcome}, ${seconds} s)`, await takeSamples(), peakMegabytes(service)),
      )
    }
  } finally {
    await poller.terminate()
    await service.stop()
    site.stop()
    folder.remove()
  }
  return figures
}

function createCases(service: RunningService, siteUrl: string): Case[] {
  const scrape = (path: string, more: object = {}) =>
    call(service, '/v2/scrape', { url: `${siteUrl}${path}`, formats, maxAge: 0, timeout: 240_000, ...more })
  const pageCases = worstPages.map((page, index) => ({
    name: page.kind,
    call: () => (page.fileName ? parse(service, page) : scrape(`/${index}`)),
  }))
  return [
    { name: 'quiet', call: async () => new Promise((resolve) => setTimeout(resolve, 3000, 'nothing')) },
    ...pageCases,
    {
      name: 'three concurrent pages of "<" characters',
      call: async () => (await Promise.all(['/0', '/0', '/0'].map((path) => scrape(path)))).join(),
    },
    { name: '62 MB page of "<" characters', call: () => scrape('/large') },
    { name: 'bytes in base64', call: () => scrape('/0', { formats: ['rawBase64'] }) },
    {
      name: 'change tracking of a page of links',
      call: async () => [await scrapeTracked(scrape), await scrapeTracked(scrape)].join(),
    },
    {
      name: 'map of a large sitemap',
      call: () => call(service, '/v2/map', { url: siteUrl, sitemap: 'only', limit: 5000 }),
    },
  ]
}

const linkPageIndex = worstPages.findIndex(({ kind }) => kind === 'links')
const scrapeTracked = (scrape: (path: string, more: object) => Promise<string>) =>
  scrape(`/${linkPageIndex}`, {
    formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }],
    onlyMainContent: false,
  })

async function call({ url }: RunningService, path: string, body: object): Promise<string> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return describeOutcome(response)
}

async function parse({ url }: RunningService, page: WorstPage): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(page.body(pageBytes))]), page.fileName)
  form.append('options', JSON.stringify({ formats, timeout: 240_000 }))
  const headers = { authorization: `Bearer ${key}` }
  return describeOutcome(await fetch(`${url}/v2/parse`, { method: 'POST', headers, body: form }))
}

/** Returns the size of a response, or the exceeded bound or the code of an error. */
async function describeOutcome(response: Response): Promise<string> {
  const text = Buffer.from(await response.arrayBuffer())
  if (response.ok) return `${Math.round(text.length / 1024 / 1024)} MB`
  const { code, bound: exceededBound } = JSON.parse(text.toString())
  return exceededBound ?? code
}

/** Starts a site that creates each body on request. It does not delay the poller, which runs in another thread. */
async function startWorstSite(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const requestedPage = worstPages[Number(request.url?.slice(1))]
    const sitemap = worstPages.find(({ kind }) => kind === 'sitemap')
    const isLarge = request.url === '/large'
    const page = isLarge ? worstPages[0] : request.url === '/sitemap.xml' ? sitemap : requestedPage
    if (!page) return void response.writeHead(404).end()
    const body = page.body(isLarge ? 2 * pageBytes : page.isBomb ? bombBytes : pageBytes)
    const coding = page.contentEncoding === undefined ? {} : { 'content-encoding': page.contentEncoding }
    response.writeHead(200, { 'content-type': page.contentType, 'content-length': body.length, ...coding })
    response.end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function createFigure(name: string, samples: Sample[], megabytes?: number): Figure {
  const shortName = name.slice(0, 90)
  const [p50, p99, max] = getPercentiles(samples.map(({ ms }) => ms))
  const [, workP99] = getPercentiles(samples.map(({ workedMs }) => workedMs))
  const memory = megabytes === undefined ? '' : `, peak ${megabytes} MB`
  const warning = p99 > bound ? ` OVER ${bound} ms` : ''
  const times = `p50 ${p50.toFixed(1)} p99 ${p99.toFixed(1)} max ${max.toFixed(1)} ms of ${samples.length}`
  console.error(`${shortName.padEnd(92)} ${times}, p99 of work ${workP99.toFixed(1)} ms${memory}${warning}`)
  const value = `p99 ${p99.toFixed(1)} ms (work ${workP99.toFixed(1)})`
  return { name: shortName, value, bound: `at most ${bound} ms`, isMet: p99 <= bound }
}

function getPercentiles(times: number[]): [p50: number, p99: number, max: number] {
  const sorted = times.toSorted((left, right) => left - right)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return [at(0.5), at(0.99), at(1)]
}

function resetPeak({ process: { pid } }: RunningService): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function peakMegabytes({ process: { pid } }: RunningService): number {
  const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(peak) / 1024)
}
