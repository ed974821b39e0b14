import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { type RunningService, startService, temporaryFolder } from '../test/service.ts'
import { type WorstPage, worstPages } from '../test/site/worst-pages.ts'
import { CannotMeasure, type Figure } from './figure.ts'
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
 * How long the service takes to say that it lives, beside the worst page of each kind and the worst calls of every route. Other
 * work on the machine is felt here: the quiet row, of the same run, says how much. `--pages` and `--calls` measure one of both;
 * `--calls=text` only the calls whose route has the text in it.
 */
export async function measure(options: string[] = []): Promise<Figure[]> {
  const wrong = options.find((option) => !/^--(?:pages|calls(?:=.+)?)$/.test(option))
  if (wrong !== undefined)
    throw new CannotMeasure(`No such option: ${wrong}. There are --pages, --calls and --calls=text.`)
  const calls = options.find((option) => option.startsWith('--calls'))
  const pages = options.length === 0 || options.includes('--pages') ? await measurePages() : []
  if (options.length > 0 && calls === undefined) return pages
  return [...pages, ...(await measureCalls(calls?.slice('--calls='.length) ?? '', figureOf))]
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
  const take = async (): Promise<Sample[]> => {
    poller.postMessage('take')
    const [samples] = await once(poller, 'message')
    return samples
  }
  const figures: Figure[] = []
  try {
    for (const { name, call } of casesOf(service, site.url)) {
      resetPeak(service)
      await take()
      const began = performance.now()
      const outcome = await call()
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      figures.push(figureOf(`${name} (${outcome}, ${seconds} s)`, await take(), peakMegabytes(service)))
    }
  } finally {
    await poller.terminate()
    await service.stop()
    site.stop()
    folder.remove()
  }
  return figures
}

function casesOf(service: RunningService, siteUrl: string): Case[] {
  const scrape = (path: string, more: object = {}) =>
    call(service, '/v2/scrape', { url: `${siteUrl}${path}`, formats, maxAge: 0, timeout: 240_000, ...more })
  const worst = worstPages.map((page, index) => ({
    name: page.kind,
    call: () => (page.fileName ? parse(service, page) : scrape(`/${index}`)),
  }))
  return [
    { name: 'quiet', call: async () => new Promise((resolve) => setTimeout(resolve, 3000, 'nothing')) },
    ...worst,
    {
      name: 'three texts of "<" at once',
      call: async () => (await Promise.all(['/0', '/0', '/0'].map((path) => scrape(path)))).join(),
    },
    { name: 'text of "<" of 62 MB', call: () => scrape('/large') },
    { name: 'bytes in base64', call: () => scrape('/0', { formats: ['rawBase64'] }) },
    { name: 'changes of links', call: async () => [await tracked(scrape), await tracked(scrape)].join() },
    {
      name: 'map of a large sitemap',
      call: () => call(service, '/v2/map', { url: siteUrl, sitemap: 'only', limit: 5000 }),
    },
  ]
}

const linkPage = worstPages.findIndex(({ kind }) => kind === 'links')
const tracked = (scrape: (path: string, more: object) => Promise<string>) =>
  scrape(`/${linkPage}`, {
    formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }],
    onlyMainContent: false,
  })

async function call({ url }: RunningService, path: string, body: object): Promise<string> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return outcomeOf(response)
}

async function parse({ url }: RunningService, page: WorstPage): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(page.body(pageBytes))]), page.fileName)
  form.append('options', JSON.stringify({ formats, timeout: 240_000 }))
  const headers = { authorization: `Bearer ${key}` }
  return outcomeOf(await fetch(`${url}/v2/parse`, { method: 'POST', headers, body: form }))
}

/** The size of an answer, or the code of a refusal. */
async function outcomeOf(response: Response): Promise<string> {
  const text = Buffer.from(await response.arrayBuffer())
  if (response.ok) return `${Math.round(text.length / 1024 / 1024)} MB`
  const { code, bound: named } = JSON.parse(text.toString())
  return named ?? code
}

/** Bodies are made when they are asked for, and the site is this process: the poller has a thread of its own. */
async function startWorstSite(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const found = worstPages[Number(request.url?.slice(1))]
    const sitemap = worstPages.find(({ kind }) => kind === 'sitemap')
    const isLarge = request.url === '/large'
    const page = isLarge ? worstPages[0] : request.url === '/sitemap.xml' ? sitemap : found
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

function figureOf(name: string, samples: Sample[], megabytes?: number): Figure {
  const [middle, high, most] = sharesOf(samples.map(({ ms }) => ms))
  const [, worked] = sharesOf(samples.map(({ workedMs }) => workedMs))
  const what = `${name.slice(0, 90)}`
  const memory = megabytes === undefined ? '' : `, peak ${megabytes} MB`
  const mark = high > bound ? ` OVER ${bound} ms` : ''
  const times = `p50 ${middle.toFixed(1)} p99 ${high.toFixed(1)} max ${most.toFixed(1)} ms of ${samples.length}`
  console.error(`${what.padEnd(92)} ${times}, p99 of work ${worked.toFixed(1)} ms${memory}${mark}`)
  const value = `p99 ${high.toFixed(1)} ms (work ${worked.toFixed(1)})`
  return { what, value, bound: `at most ${bound} ms`, holds: high <= bound }
}

function sharesOf(times: number[]): [middle: number, high: number, most: number] {
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
