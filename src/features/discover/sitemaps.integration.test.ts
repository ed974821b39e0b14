import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { SitemapEntry } from '../../content/site/sitemap.ts'
import type { SiteFile } from './site-files.ts'
import { readSitemaps } from './sitemaps.ts'

const origin = 'https://a.example'
const createUrlset = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<url><loc>${origin}${path}</loc></url>`).join('')}</urlset>`
const createIndex = (...paths: string[]) =>
  `<sitemapindex>${paths.map((path) => `<sitemap><loc>${origin}${path}</loc></sitemap>`).join('')}</sitemapindex>`

async function readSite(site: Record<string, string | Uint8Array>, maxEntries = Number.POSITIVE_INFINITY) {
  const requestedPaths: string[] = []
  const files = {
    async read(_: string, url: URL): Promise<SiteFile> {
      requestedPaths.push(url.pathname)
      const body = site[url.pathname]
      const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array())
      return { status: body === undefined ? 404 : 200, url: url.href, contentType: undefined, bytes }
    },
  }
  const foundEntries: SitemapEntry[] = []
  const deps = { files, teamId: 'team', maxAge: 0, signal: new AbortController().signal }
  const result = await readSitemaps(deps, [`${origin}/sitemap.xml`], async (entries) => {
    for (const entry of entries) foundEntries.push(entry)
    return foundEntries.length < maxEntries
  })
  return { ...result, asked: requestedPaths, paths: foundEntries.map((entry) => new URL(entry.url).pathname) }
}

describe('readSitemaps', () => {
  it('reads the files of an index, compressed or not', async () => {
    const site = {
      '/sitemap.xml': createIndex('/1.xml', '/2.xml.gz', '/missing.xml'),
      '/1.xml': createUrlset('/a', '/b'),
      '/2.xml.gz': gzipSync(createUrlset('/c')),
    }
    const { paths, files, pages } = await readSite(site)
    expect({ paths: paths.sort(), files, pages }).toEqual({ paths: ['/a', '/b', '/c'], files: 3, pages: 3 })
  })

  it('detects compression by the bytes, not by the name', async () => {
    expect((await readSite({ '/sitemap.xml': gzipSync(createUrlset('/a')) })).paths).toEqual(['/a'])
  })

  it('returns the entries before the end of a truncated file', async () => {
    const paths = Array.from({ length: 5000 }, (_, page) => `/page-${page}-${Math.random()}`)
    const packed = gzipSync(createUrlset(...paths))
    const found = (await readSite({ '/sitemap.xml': packed.subarray(0, packed.length / 2) })).paths
    expect(found.length).toBeGreaterThan(1000)
    expect(found).toEqual(paths.slice(0, found.length))
  })

  it('reads each file once, also if they link to each other', async () => {
    const site = {
      '/sitemap.xml': createIndex('/1.xml', '/sitemap.xml'),
      '/1.xml': createIndex('/sitemap.xml', '/1.xml'),
    }
    expect((await readSite(site)).asked).toEqual(['/sitemap.xml', '/1.xml'])
  })

  it('stops after five levels', async () => {
    const site = new Proxy<Record<string, string>>({}, { get: (_, path) => createIndex(`${String(path)}x`) })
    const { asked: requestedPaths, notes } = await readSite(site)
    expect(requestedPaths).toHaveLength(5)
    expect(notes).toHaveLength(1)
  })

  it.each([
    ['utf-16le', Buffer.from(`\uFEFF${createUrlset('/ä')}`, 'utf16le')],
    ['latin1', Buffer.from(`<?xml version="1.0" encoding="ISO-8859-1"?>${createUrlset('/ä')}`, 'latin1')],
  ])('reads %s', async (_, bytes) => {
    expect((await readSite({ '/sitemap.xml': bytes })).paths).toEqual(['/%C3%A4'])
  })

  it('stops after the callback returned false', async () => {
    const site = {
      '/sitemap.xml': createIndex('/1.xml', '/2.xml'),
      '/1.xml': createUrlset('/a'),
      '/2.xml': createUrlset('/b'),
    }
    const { paths } = await readSite(site, 1)
    expect(paths.length).toBeLessThanOrEqual(2)
  })

  it('reads a file with 200,000 entries', async () => {
    const page = (_: unknown, number: number) =>
      `<url><loc>${origin}/some/rather/long/path/${number}</loc></url>`
    const text = `<urlset>${Array.from({ length: 200_000 }, page).join('')}</urlset>`
    expect((await readSite({ '/sitemap.xml': text })).pages).toBe(200_000)
  })
})
