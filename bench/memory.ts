import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, plain } from './figure.ts'
import { residentMegabytes } from './start.ts'

const pages = Number(process.env.PAGES ?? 5000)
const restSeconds = 120
const key = 'fc-bench-key'

/** Thousands of pages of all sizes, by HTTP and in the browser, in the foreground and in batches: does memory come back? */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const words = 'A sentence that is as long as any other of its kind, and no longer. '
  const site = await startSite({
    routes: {
      '/sized/:kilobytes': ({ response, part }) => {
        const paragraphs = Math.ceil((Number(part.kilobytes) * 1024) / (words.length + 7))
        response.writeHead(200, { 'content-type': 'text/html' })
        response.end(`<title>Sized</title><main>${`<p>${words}</p>`.repeat(paragraphs)}</main>`)
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
    const answer = await request(`${service.url}${path}`, {
      dispatcher,
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // The answers themselves are looked at by tests.
    return (await answer.body.json()) as { id?: string; status?: string }
  }
  const urlOf = (index: number) => `${site.url}/sized/${sizes[index % sizes.length]}?n=${index}`
  const began = performance.now()
  const urls = Array.from({ length: Math.floor(pages / 2) }, (_, index) => urlOf(index))
  const { id } = await call('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
  await inTurn(Math.floor(pages / 2), (index) =>
    call('POST', '/v2/scrape', {
      url: urlOf(index + pages),
      maxAge: 0,
      formats: index % 7 === 0 ? ['markdown', 'rawHtml', 'links'] : ['markdown'],
      ...(index % 25 === 0 ? { waitFor: 1 } : {}),
    }),
  )
  while ((await call('GET', `/v2/batch/scrape/${id}?limit=1`)).status === 'scraping') await sleep(500)
  const seconds = (performance.now() - began) / 1000
  const busy = residentMegabytes(pid)
  await sleep(restSeconds * 1000)
  const rested = residentMegabytes(pid)
  await dispatcher.close()
  await service.stop()
  await site.stop()
  folder.remove()
  return [
    plain('mixed pages', pages / seconds, 'per s'),
    plain('memory of the service when the last one ended', busy, 'MB'),
    atMost('memory of the service two minutes later', rested, 300, 'MB'),
  ]
}

/** Kilobytes; most pages are small, some are not. */
const sizes = [4, 20, 45, 60, 90, 120, 45, 30, 300, 20, 45, 1500]

async function inTurn(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: 8 }, loop))
}
