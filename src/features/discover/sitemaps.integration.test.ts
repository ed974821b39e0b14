import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { SitemapEntry } from '../../content/site/sitemap.ts'
import type { SiteFile } from './site-files.ts'
import { readSitemaps } from './sitemaps.ts'

const origin = 'https://a.example'
const urlset = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`
const index = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')}</sitemapindex>`

async function read(site: Record<string, string | Uint8Array>, most = Number.POSITIVE_INFINITY) {
  const asked: string[] = []
  const files = {
    async read(_: string, url: URL): Promise<SiteFile> {
      asked.push(url.pathname)
      const body = site[url.pathname]
      const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array())
      return { status: body === undefined ? 404 : 200, url: url.href, contentType: undefined, bytes }
    },
  }
  const found: SitemapEntry[] = []
  const deps = { files, teamId: 'team', maxAge: 0, signal: new AbortController().signal }
  const facts = await readSitemaps(deps, [`${origin}/sitemap.xml`], async (entries) => {
    for (const entry of entries) found.push(entry)
    return found.length < most
  })
  return { ...facts, asked, paths: found.map((entry) => new URL(entry.url).pathname) }
}

describe('sitemaps', () => {
  it('lead from an index to its files, packed or not', async () => {
    const site = {
      '/sitemap.xml': index('/1.xml', '/2.xml.gz', '/missing.xml'),
      '/1.xml': urlset('/a', '/b'),
      '/2.xml.gz': gzipSync(urlset('/c')),
    }
    const { paths, files, pages } = await read(site)
    expect({ paths: paths.sort(), files, pages }).toEqual({ paths: ['/a', '/b', '/c'], files: 3, pages: 3 })
  })

  it('are recognised by their bytes, not by their name', async () => {
    expect((await read({ '/sitemap.xml': gzipSync(urlset('/a')) })).paths).toEqual(['/a'])
  })

  it('give what came before they were cut off', async () => {
    const paths = Array.from({ length: 5000 }, (_, page) => `/page-${page}-${Math.random()}`)
    const packed = gzipSync(urlset(...paths))
    const found = (await read({ '/sitemap.xml': packed.subarray(0, packed.length / 2) })).paths
    expect(found.length).toBeGreaterThan(1000)
    expect(found).toEqual(paths.slice(0, found.length))
  })

  it('are read once, also when they point at each other', async () => {
    const site = {
      '/sitemap.xml': index('/1.xml', '/sitemap.xml'),
      '/1.xml': index('/sitemap.xml', '/1.xml'),
    }
    expect((await read(site)).asked).toEqual(['/sitemap.xml', '/1.xml'])
  })

  it('are not followed for ever', async () => {
    const site = new Proxy<Record<string, string>>({}, { get: (_, path) => index(`${String(path)}x`) })
    const { asked, notes } = await read(site)
    expect(asked).toHaveLength(5)
    expect(notes).toHaveLength(1)
  })

  it.each([
    ['utf-16le', Buffer.from(`\uFEFF${urlset('/ä')}`, 'utf16le')],
    ['latin1', Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${urlset('/ä')}`, 'latin1')],
  ])('are read in %s', async (_, bytes) => {
    expect((await read({ '/sitemap.xml': bytes })).paths).toEqual(['/%C3%A4'])
  })

  it('stop when enough was found', async () => {
    const site = { '/sitemap.xml': index('/1.xml', '/2.xml'), '/1.xml': urlset('/a'), '/2.xml': urlset('/b') }
    const { paths } = await read(site, 1)
    expect(paths.length).toBeLessThanOrEqual(2)
  })

  it('that are large are handed on in parts', async () => {
    const page = (_: unknown, number: number) =>
      `<url><loc>${origin}/some/rather/long/path/${number}</loc></url>`
    const text = `<urlset>${Array.from({ length: 200_000 }, page).join('')}</urlset>`
    expect((await read({ '/sitemap.xml': text })).pages).toBe(200_000)
  })
})
