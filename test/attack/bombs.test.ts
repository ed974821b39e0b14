import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Answer, type OwnService, startOwnService } from '../api.ts'
import { descendants } from '../sessions.ts'
import type { Routes } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass, isFull } from './attack.ts'
import { bombFiles, packedBodies } from './bomb-files.ts'

let site: Site
let own: OwnService
const peak = { megabytes: 0 }
let watching: NodeJS.Timeout
beforeAll(async () => {
  site = await startSite({ routes: hostileRoutes() })
  own = await startOwnService()
  watching = setInterval(() => (peak.megabytes = Math.max(peak.megabytes, memoryOf(own))), 100)
})
afterAll(async () => {
  clearInterval(watching)
  await own.remove()
  await site.stop()
})

/**
 * Returns the memory of the service and all its descendant processes, in megabytes. Shared memory is counted once.
 */
function memoryOf({ process: { pid = 0 } }: OwnService): number {
  return [pid, ...descendants(pid).map(({ id }) => id)].reduce((sum, id) => sum + residentOf(id), 0)
}

function residentOf(id: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // The process has ended.
    return 0
  }
}

/** Bound for the service, its converters (1 GB each) and the reading threads. */
const maxMegabytes = 4000

/** Returns the harm of an attack: an `INTERNAL` response, too much memory, or slow responses to other callers. */
async function harmOf(attack: () => Promise<Answer>): Promise<string | undefined> {
  let isOver = false
  const attacking = attack().finally(() => {
    isOver = true
  })
  let slowest = 0
  const polling = (async () => {
    while (!isOver) {
      const began = performance.now()
      const { status } = await own.call('GET', '/health/live')
      if (status !== 200) throw new Error(`health answered ${status}`)
      slowest = Math.max(slowest, performance.now() - began)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })()
  const [response] = await Promise.all([attacking, polling])
  if (response.body?.code === 'INTERNAL' || typeof response.body !== 'object')
    return `answered ${response.status} INTERNAL`
  if (peak.megabytes > maxMegabytes) return `took ${Math.round(peak.megabytes)} MB`
  return slowest > 10_000 ? `held everybody up for ${Math.round(slowest)} ms` : undefined
}

const scrape = (path: string, options: object = {}) =>
  own.call('POST', '/v2/scrape', { body: { url: site.url + path, maxAge: 0, timeout: 20_000, ...options } })

async function parse(name: string, bytes: Buffer): Promise<Answer> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(bytes)]), name)
  body.append('options', JSON.stringify({ timeout: isFull ? 20_000 : 4000 }))
  const headers = { authorization: `Bearer ${own.key}` }
  const response = await fetch(`${own.url}/v2/parse`, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Content codings whose bombs the short form sends in pages.test.ts. */
const bodiesOfPages = ['gzip', 'brotli', 'zstd', 'gzip in gzip']

attackClass({
  name: 'bombs: bodies that unpack to hundreds of megabytes',
  vectors: Object.keys(packedBodies).filter((body) => isFull || !bodiesOfPages.includes(body)),
  run: async (body) => {
    const path = `/packed?body=${encodeURIComponent(body)}`
    let status = 0
    const harm = await harmOf(async () => {
      const response = await scrape(path, { fastMode: true })
      status = response.status
      return response
    })
    // A body that cannot be decoded may be returned unchanged. A body that can be decoded must be rejected.
    const isUnpackable = body !== 'a hundred codings'
    return harm ?? (isUnpackable && status === 200 ? 'was unpacked' : undefined)
  },
})

attackClass({
  name: 'bombs: files',
  vectors: Object.keys(bombFiles),
  short: 10,
  concurrency: 2,
  run: async (name) => {
    const bomb = bombFiles[name]
    return bomb ? harmOf(() => parse(bomb.name, bomb.bytes())) : 'is missing'
  },
})

attackClass({
  name: 'bombs: pages',
  concurrency: 3,
  vectors: ['/endless', '/drip', '/deep', '/deep-json', '/endless-headers', '/wide-table'],
  run: (path) => harmOf(() => scrape(path, { fastMode: true, timeout: 3000 })),
})

attackClass({
  name: 'bombs: sitemaps',
  vectors: ['skip', 'only', 'include'],
  run: (sitemap) =>
    harmOf(() =>
      own.call('POST', '/v2/map', {
        body: { url: site.url, sitemap, timeout: isFull ? 15_000 : 2000, ignoreCache: true },
      }),
    ),
})

it('leaves the service working', async () => {
  expect((await scrape('/pages/1')).status).toBe(200)
})

function hostileRoutes(): Routes {
  const built = new Map<string, { coding: string; bytes: Buffer }>()
  return {
    '/packed': ({ url, response }) => {
      const name = url.searchParams.get('body') ?? ''
      const body = built.get(name) ?? packedBodies[name]?.()
      if (!body) return response.writeHead(404).end()
      built.set(name, body)
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': body.coding })
        .end(body.bytes)
    },
    '/endless': ({ response, signal }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const part = Buffer.alloc(1_000_000, 'a ')
      const write = () => {
        while (!signal.aborted && response.write(part));
        if (!signal.aborted) response.once('drain', write)
      }
      write()
    },
    '/drip': ({ response, signal }) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const drip = setInterval(() => response.write('a'), 100)
      signal.addEventListener('abort', () => clearInterval(drip))
    },
    '/deep': ({ response }) => response.end('<b>'.repeat(300_000)),
    '/deep-json': ({ response }) => {
      response.setHeader('content-type', 'application/json')
      response.end('['.repeat(1_000_000))
    },
    '/endless-headers': ({ response }) => {
      response.writeHead(
        200,
        Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x-${index}`, 'y'.repeat(50)])),
      )
      response.end('x')
    },
    '/wide-table': ({ response }) =>
      response.end(`<table><tr>${'<td colspan=1000>x'.repeat(50_000)}</table>`),
    '/robots.txt': ({ request, response }) =>
      response.end(
        ['gz', 'index', 'xml']
          .map((kind) => `Sitemap: http://${request.headers.host}/map.${kind}`)
          .join('\n'),
      ),
    '/map.gz': ({ response }) => response.end(sitemapBomb()),
    // The sitemap index refers to itself with a new query each time.
    '/map.index': ({ request, response, visit }) =>
      response.end(
        `<sitemapindex>${Array.from({ length: 500 }, (_, index) => `<sitemap><loc>http://${request.headers.host}/map.index?${visit}-${index}</loc></sitemap>`).join('')}</sitemapindex>`,
      ),
    '/map.xml': ({ response }) =>
      response.end(
        `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(10_000)}">]><urlset>${'<url><loc>&a;&a;&a;</loc></url>'.repeat(1000)}</urlset>`,
      ),
  }
}

let bomb: Buffer | undefined
function sitemapBomb(): Buffer {
  bomb ??= gzipSync(Buffer.concat([Buffer.from('<urlset>'), Buffer.alloc(80 * 1024 * 1024, ' ')]))
  return bomb
}
