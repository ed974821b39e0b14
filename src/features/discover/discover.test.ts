import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { siteLinks } from '../../content/site/site-links.ts'
import { parseHtml } from '../../content/tree/parse.ts'
import { AppError } from '../../platform/errors.ts'
import { type DiscoverRequest, discover } from './discover.ts'
import { allMatch } from './patterns.ts'
import { createScope } from './scope.ts'

const start = new URL('https://a.example/')
const signal = new AbortController().signal

/** A site of pages and files by path; what is not there is 404. */
function find(site: Record<string, string>, changes: Partial<DiscoverRequest> = {}) {
  const files = {
    read: async (_: string, url: URL, { signal: within }: { signal: AbortSignal }) => {
      const text = site[url.pathname]
      if (text === 'never comes') await once(within, 'abort').then(() => within.throwIfAborted())
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
    ...{ limit: 1000, enough: 1000, mostPages: 1000, sitemapMs: 10_000 },
    scopeFrom: (home) =>
      createScope(home, { entireDomain: true, subdomains: false, external: false, now: 0 }),
    patterns: allMatch,
    ...changes,
  }
  return discover({ files, readLinks }, request, signal)
}

const paths = (found: Awaited<ReturnType<typeof find>>) =>
  found.pages.map((page) => new URL(page.url).pathname)
const link = (href: string, text = 'x') => `<a href="${href}">${text}</a>`

describe('discovering a site', () => {
  it('reads the feeds that pages name, and takes titles from wherever they are', async () => {
    const feed =
      '<rss><channel><item><title>From the feed</title><link>https://a.example/post</link></item></channel></rss>'
    const found = await find({
      '/': `<link rel="alternate" type="application/rss+xml" href="/feed">${link('/about', 'About us')}`,
      '/about': '<title>About</title>',
      '/feed': feed,
    })
    expect(found.pages).toMatchObject([
      { url: 'https://a.example/', source: 'start' },
      { url: 'https://a.example/about', source: 'link', title: 'About', anchor: 'About us' },
      { url: 'https://a.example/post', source: 'feed', title: 'From the feed' },
    ])
  })

  it('counts what it left out, and why', async () => {
    const { leftOut } = await find({
      '/': ['/x?a=1', '/logo.png', 'https://b.example/', '/a/a/a/a/a', '/x?a=1']
        .map((href) => link(href))
        .join(''),
      '/x?a=1': '',
    })
    expect(leftOut).toEqual({ 'query parameters': 1, file: 1, 'other site': 1, trap: 1 })
  })

  it('reads one page only where robots.txt asks for patience', async () => {
    const found = await find({
      '/robots.txt': 'user-agent: *\ncrawl-delay: 10',
      '/': link('/one'),
      '/one': link('/two'),
    })
    expect(paths(found)).toEqual(['/', '/one'])
    expect(found.notes.join()).toMatch(/requests 10 s/)
  })

  it('goes on without links when sitemaps name pages and the start cannot be read', async () => {
    const sitemap = '<urlset><url><loc>https://a.example/named</loc></url></urlset>'
    const found = await find({ '/sitemap.xml': sitemap })
    expect(paths(found)).toEqual(['/', '/named'])
    expect(found.notes.join()).toMatch(/could not be read/)
  })

  it('leaves time for links where a sitemap does not come', async () => {
    const found = await find(
      { '/sitemap.xml': 'never comes', '/': link('/one'), '/one': '' },
      { sitemapMs: 50 },
    )
    expect(paths(found)).toEqual(['/', '/one'])
    expect(found.notes.join()).toMatch(/took half of the time/)
  })

  it('fails with the reason when there is nothing at all', async () => {
    await expect(find({})).rejects.toMatchObject({ code: 'SCRAPE_SITE_ERROR' })
  })
})
