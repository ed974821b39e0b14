import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import type { BenchPage } from '../scorer.ts'
import type { System } from './system.ts'

interface ContentOptions {
  onlyMainContent: boolean
}

interface Service {
  base: string
  key: string
}

/** Creates the system of a running service: the pages are served on loopback and scraped over HTTP. */
export async function winnowService(service: Service): Promise<System> {
  const pages = new Map<string, string>()
  const site = createServer((incoming, response) => {
    const html = pages.get(new URL(incoming.url ?? '/', 'http://site').searchParams.get('__b') ?? '')
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(html)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server that listens on a port has an address object.
  const { port } = site.address() as AddressInfo

  const getMarkdown = async (page: BenchPage, contentOptions: ContentOptions) => {
    pages.set(page.id, page.html)
    try {
      return await scrape(service, toServedUrl(page, port), contentOptions)
    } finally {
      pages.delete(page.id)
    }
  }
  return {
    name: 'winnow',
    title: 'Winnow over HTTP',
    packages: [],
    clock: 'wall',
    extract: (page) => getMarkdown(page, { onlyMainContent: true }),
    convert: (page) => getMarkdown(page, { onlyMainContent: false }),
    stop: () => site.close(),
  }
}

/** Returns the URL of a served page. It keeps path and query, which are hints, and the base of relative links. */
function toServedUrl({ id, url }: BenchPage, port: number): string {
  const pageUrl = new URL(url)
  pageUrl.searchParams.set('__b', id)
  return `http://127.0.0.1:${port}${pageUrl.pathname}${pageUrl.search}`
}

async function scrape({ base, key }: Service, url: string, contentOptions: ContentOptions): Promise<string> {
  const { statusCode, body } = await request(`${base}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, formats: ['markdown'], ...contentOptions, maxAge: 0, storeInCache: false }),
  })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${statusCode} ${text.slice(0, 200)}`)
  // The cast is safe: the API returns this shape with status 200.
  const { data } = JSON.parse(text) as { data: { markdown?: string } }
  return data.markdown ?? ''
}
