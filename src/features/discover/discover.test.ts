import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { siteLinks } from '../../content/site/site-links.ts'
import { parseHtml } from '../../content/tree/parse.ts'
import { AppError } from '../../platform/errors.ts'
import { type DiscoverRequest, discover } from './discover.ts'

const start = new URL('https://a.example/')
const signal = new AbortController().signal

/** Discovers a site given as pages and files by path; other paths return 404. */
function discoverSite(site: Record<string, string>, changes: Partial<DiscoverRequest> = {}) {
  const files = {
    read: async (_: string, url: URL, { signal: requestSignal }: { signal: AbortSignal }) => {
      const text = site[url.pathname]
      if (text === 'never comes')
        await once(requestSignal, 'abort').then(() => requestSignal.throwIfAborted())
      const bytes = Buffer.from(text ?? '')
      return { status: text === undefined ? 404 : 200, url: url.href, contentType: 'text/plain', bytes }
    },
  }
  const readLinks = async (url: URL) => {
    const html = site[url.pathname + url.search]
    if (html === undefined) throw new AppError('SCRAPE_SITE_ERROR')
    return { ...siteLinks(parseHtml(html), url.href), url: url.href }
  }
  const request: DiscoverRequest = {
    ...{ teamId: 'team', start, sitemap: 'include', ignoreQueryParameters: true, ignoreCache: false },
    ...{ limit: 1000, linkFollowLimit: 1000, maxPages: 1000, sitemapMs: 10_000 },
    scope: { entireDomain: true, subdomains: false, external: false, now: 0 },
    ...changes,
  }
  return discover({ files, readLinks }, request, signal)
}

const getPaths = (found: Awaited<ReturnType<typeof discoverSite>>) =>
  found.pages.map((page) => new URL(page.url).pathname)
const createLink = (href: string, text = 'x') => `<a href="${href}">${text}</a>`

describe('discover', () => {
  it('reads feeds that pages link to, and merges titles of pages and feeds', async () => {
    const feed =
      '<rss><channel><item><title>From the feed</title><link>https://a.example/post</link></item></channel></rss>'
    const found = await discoverSite({
      '/': `<link rel="alternate" type="application/rss+xml" href="/feed">${createLink('/about', 'About us')}`,
      '/about': '<title>About</title>',
      '/feed': feed,
    })
    expect(found.pages).toMatchObject([
      { url: 'https://a.example/', source: 'start' },
      { url: 'https://a.example/about', source: 'link', title: 'About', anchor: 'About us' },
      { url: 'https://a.example/post', source: 'feed', title: 'From the feed' },
    ])
  })

  it('counts skipped URLs by reason', async () => {
    const { leftOut } = await discoverSite({
      '/': ['/x?a=1', '/logo.png', 'https://b.example/', '/a/a/a/a/a', '/x?a=1']
        .map((href) => createLink(href))
        .join(''),
      '/x?a=1': '',
    })
    expect(leftOut).toEqual({ 'query parameters': 1, file: 1, 'other site': 1, trap: 1 })
  })

  it('reads only the start page with a crawl-delay of 10 s', async () => {
    const found = await discoverSite({
      '/robots.txt': 'user-agent: *\ncrawl-delay: 10',
      '/': createLink('/one'),
      '/one': createLink('/two'),
    })
    expect(getPaths(found)).toEqual(['/', '/one'])
    expect(found.notes.join()).toMatch(/requests 10 s/)
  })

  it('returns the pages of a sitemap if the start page cannot be read', async () => {
    const sitemap = '<urlset><url><loc>https://a.example/named</loc></url></urlset>'
    const found = await discoverSite({ '/sitemap.xml': sitemap })
    expect(getPaths(found)).toEqual(['/', '/named'])
    expect(found.notes.join()).toMatch(/could not be read/)
  })

  it('follows links after a sitemap timed out', async () => {
    const found = await discoverSite(
      { '/sitemap.xml': 'never comes', '/': createLink('/one'), '/one': '' },
      { sitemapMs: 50 },
    )
    expect(getPaths(found)).toEqual(['/', '/one'])
    expect(found.notes.join()).toMatch(/took half of the time/)
  })

  it('throws SCRAPE_SITE_ERROR if no file and no page can be read', async () => {
    await expect(discoverSite({})).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })
})
