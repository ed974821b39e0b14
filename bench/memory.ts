import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure } from './figure.ts'
import { residentMegabytes } from './start.ts'

const pages = Number(process.env.PAGES ?? 5000)
const restSeconds = 120
const key = 'fc-bench-key'

/** Measures whether memory is released after thousands of pages of all sizes, over HTTP and in the browser. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const sentence = 'A sentence that is as long as any other of its kind, and no longer. '
  const site = await startSite({
    routes: {
      '/sized/:kilobytes': ({ response, params: part }) => {
        const paragraphs = Math.ceil((Number(part.kilobytes) * 1024) / (sentence.length + 7))
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<title>Sized</title><main>${`<p>${sentence}</p>`.repeat(paragraphs)}</main>`)
      },
    },
  })
  const service = await startService({
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'warn' },
    ...{ RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off' },
    CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell',
  })
  const pid = service.process.pid ?? 0
  const dispatcher = new Agent()
  const call = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const response = await request(`${service.url}${path}`, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // The cast is safe: tests check the responses.
    return (await response.body.json()) as { id?: string; status?: string }
  }
  const toUrl = (index: number) => `${site.url}/sized/${sizes[index % sizes.length]}?n=${index}`
  const startedAt = performance.now()
  const urls = Array.from({ length: Math.floor(pages / 2) }, (_, index) => toUrl(index))
  const { id } = await call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
  await runConcurrently(Math.floor(pages / 2), (index) =>
    call('POST', '/v2/scrape', {
      url: toUrl(index + pages),
      maxAge: 0,
      formats: index % 7 === 0 ? ['markdown', 'rawHtml', 'links'] : ['markdown'],
      ...(index % 25 === 0 ? { waitFor: 1 } : {}),
    }),
  )
  while ((await call('GET', `/v2/batch/scrape/${id}?limit=1`)).status === 'scraping') await sleep(500)
  const seconds = (performance.now() - startedAt) / 1000
  const residentAtEnd = residentMegabytes(pid)
  await sleep(restSeconds * 1000)
  const residentAtRest = residentMegabytes(pid)
  await dispatcher.close()
  await service.stop()
  await site.stop()
  folder.remove()
  return [
    figure('mixed pages', pages / seconds, 'per s'),
    figure('memory of the service when the last one ended', residentAtEnd, 'MB'),
    atMost('memory of the service two minutes later', residentAtRest, 300, 'MB'),
  ]
}

/** Page sizes in kilobytes; most pages are small. */
const sizes = [4, 20, 45, 60, 90, 120, 45, 30, 300, 20, 45, 1500]

async function runConcurrently(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: 8 }, loop))
}
