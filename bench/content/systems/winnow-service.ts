import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import type { BenchPage } from '../scorer.ts'
import type { System } from './system.ts'

interface Wanted {
  onlyMainContent: boolean
}

interface Service {
  base: string
  key: string
}

/** Ours as a caller meets it: the pages are served on loopback and scraped over HTTP. */
export async function winnowService(service: Service): Promise<System> {
  const pages = new Map<string, string>()
  const site = createServer((asked, answer) => {
    const html = pages.get(new URL(asked.url ?? '/', 'http://site').searchParams.get('__b') ?? '')
    answer.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    answer.end(html)
  })
  await new Promise<void>((ready) => site.listen(0, '127.0.0.1', ready))
  // A server that listens on a port has an address of this kind.
  const { port } = site.address() as AddressInfo

  const markdown = async (page: BenchPage, wanted: Wanted) => {
    pages.set(page.id, page.html)
    try {
      return await scrape(service, servedAt(page, port), wanted)
    } finally {
      pages.delete(page.id)
    }
  }
  return {
    name: 'winnow',
    title: 'Winnow over HTTP',
    packages: [],
    clock: 'wall',
    extract: (page) => markdown(page, { onlyMainContent: true }),
    convert: (page) => markdown(page, { onlyMainContent: false }),
    stop: () => site.close(),
  }
}

/** Path and query stay as they were: they are hints, and relative links start from them. */
function servedAt({ id, url }: BenchPage, port: number): string {
  const address = new URL(url)
  address.searchParams.set('__b', id)
  return `http://127.0.0.1:${port}${address.pathname}${address.search}`
}

async function scrape({ base, key }: Service, url: string, wanted: Wanted): Promise<string> {
  const { statusCode, body } = await request(`${base}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, formats: ['markdown'], ...wanted, maxAge: 0, storeInCache: false }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 200)}`)
  // The shape that the API answers with this status.
  const { data } = JSON.parse(text) as { data: { markdown?: string } }
  return data.markdown ?? ''
}
