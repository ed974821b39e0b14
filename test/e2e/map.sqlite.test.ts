import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { siteFileRoutes } from '../site/routes/sites.ts'
import { type Site, startSite } from '../site/site.ts'

const sites: Site[] = []
const openSite = async (...args: Parameters<typeof startSite>) => {
  const site = await startSite(...args)
  sites.push(site)
  return site
}
let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => Promise.all(sites.map((each) => each.stop())))

async function map(body: object): Promise<Json> {
  const answer = await call('POST', '/v2/map', { body })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  const paths = answer.body.links.map((link: Json) => {
    const url = new URL(link.url)
    return url.pathname + url.search
  })
  return { ...answer.body, paths }
}

describe('a map', () => {
  it('finds all products of a shop without a sitemap, even if its lists have queries', async () => {
    const { paths, sources, leftOut } = await map({ url: `${site.url}/shop` })
    const products = paths.filter((path: string) => path.startsWith('/shop/product/'))
    expect(new Set(products).size).toBe(1000)
    expect(paths.filter((path: string) => path.includes('?'))).toEqual([])
    expect(sources).toEqual({ start: 1, link: 1000 })
    expect(leftOut).toMatchObject({ 'query parameters': 50 })
  })

  it('lists URLs with a query if requested', async () => {
    const { paths } = await map({ url: `${site.url}/shop`, ignoreQueryParameters: false, limit: 100 })
    expect(paths).toContain('/shop/list?page=2')
    expect(paths).toHaveLength(100)
  })

  it('returns titles, and sorts pages by relevance', async () => {
    const { links } = await map({ url: `${site.url}/shop`, search: 'product 777' })
    expect(links[0]).toMatchObject({ url: `${site.url}/shop/product/777`, title: 'Product 777' })
  })

  it('ranks all pages before it applies the limit, by links and by sitemaps', async () => {
    const ranked = await map({ url: `${site.url}/shop`, search: 'product 777', limit: 3 })
    expect(ranked.links[0].url).toBe(`${site.url}/shop/product/777`)
    expect(ranked.links).toHaveLength(3)
    expect(ranked.leftOut.limit).toBe(1001 - 3)
    expect(Object.values(ranked.sources)).toEqual([3])
    const sitemap = [...Array.from({ length: 300 }, (_, index) => `/pages/${index}`), '/guides/refund']
    const listed = await openSite({ routes: siteFileRoutes({ sitemap }) })
    const { paths } = await map({ url: listed.url, sitemap: 'only', search: 'refund', limit: 2 })
    expect(paths[0]).toBe('/guides/refund')
    expect(paths).toHaveLength(2)
  })

  it('reads sitemaps, and only sitemaps if requested', async () => {
    const index = [['/pages/1', '/pages/2'], ['/pages/3']]
    const listed = await openSite({
      routes: siteFileRoutes({ index, llms: '# Site\n- [Four](/pages/4): the fourth' }),
    })
    const only = await map({ url: listed.url, sitemap: 'only' })
    expect(only.paths.sort()).toEqual(['/', '/pages/1', '/pages/2', '/pages/3'])
    // The pages link to each other without end.
    const both = await map({ url: listed.url, limit: 20 })
    expect(both.paths).toContain('/pages/4')
    expect(both.sources).toMatchObject({ sitemap: 3, 'llms.txt': 1 })
    const withoutSitemap = await map({
      url: `${listed.url}/pages/1`,
      sitemap: 'skip',
      filterByPath: false,
      limit: 3,
    })
    expect(withoutSitemap.sources.sitemap).toBeUndefined()
  })

  it('lists with sitemaps every page that it lists without', async () => {
    // The sitemap lists pages with links to unlisted pages, and one URL that the exclude pattern matches.
    const sitemapPaths = [
      '/tree/1',
      '/tree/2',
      '/tree/3/',
      ...Array.from({ length: 80 }, (_, index) => `/tree/9/${index}`),
    ]
    const listed = await openSite({ routes: siteFileRoutes({ sitemap: sitemapPaths }) })
    const [skip, include] = await Promise.all(
      ['skip', 'include'].map((sitemap) => map({ url: `${listed.url}/tree`, sitemap, excludePaths: ['/$'] })),
    )
    expect(skip.paths).toHaveLength(40)
    expect(include.paths).toHaveLength(40 + 80)
    expect(include.paths).toEqual(expect.arrayContaining(skip.paths))
  })

  it('continues at the site that its start redirects to, with the sitemap of that site, and warns', async () => {
    const other = await openSite({ routes: siteFileRoutes({ sitemap: ['/tree/named'] }) })
    const moved = await openSite({
      routes: {
        '/tree': ({ response }) => response.writeHead(302, { location: `${other.url}/tree` }).end(),
      },
    })
    for (const [sitemap, count] of [
      ['skip', 40],
      ['include', 41],
      ['only', 2],
    ]) {
      const { links, warning } = await map({ url: `${moved.url}/tree`, sitemap })
      expect(warning).toContain(`redirects to ${other.url}/tree`)
      expect(links).toHaveLength(Number(count))
      expect(links.every((link: Json) => link.url.startsWith(other.url))).toBe(true)
    }
  })

  it('caches sitemaps, unless ignoreCache is set', async () => {
    const listed = await openSite({ routes: siteFileRoutes({ sitemap: ['/pages/1'] }) })
    for (let run = 0; run < 2; run += 1) await map({ url: listed.url, sitemap: 'only' })
    expect(listed.hits('/sitemap.xml')).toBe(1)
    await map({ url: listed.url, sitemap: 'only', ignoreCache: true })
    expect(listed.hits('/sitemap.xml')).toBe(2)
  })

  it('lists pages that robots.txt forbids, but does not fetch them', async () => {
    const robots = 'user-agent: *\ndisallow: /tree/\n'
    const guarded = await openSite({ routes: siteFileRoutes({ robots }) })
    const { paths } = await map({ url: `${guarded.url}/tree` })
    expect(paths.sort()).toEqual(['/tree', '/tree/1', '/tree/2', '/tree/3'])
    expect(guarded.hits('/tree/1')).toBe(0)
  })

  it('stays below its path unless filterByPath is false, and warns', async () => {
    const { paths, warning, leftOut } = await map({ url: `${site.url}/tree/1/1/1` })
    expect(paths).toEqual(['/tree/1/1/1'])
    expect(warning).toMatch(/filterByPath/)
    expect(leftOut).toEqual({})
  })

  it('applies its limit, and lists URLs that match a pattern from any page', async () => {
    expect((await map({ url: `${site.url}/shop`, limit: 10 })).paths).toHaveLength(10)
    const { paths } = await map({ url: `${site.url}/shop`, includePaths: ['/product/99\\d$'] })
    expect(paths).toHaveLength(10)
  })

  it('returns the pages found before the timeout', async () => {
    const routes = { '/slow-site': ({ response }: Json) => response.end('<a href="/hang?map">x</a>') }
    const slow = await openSite({ routes })
    const { paths, warning } = await map({
      url: `${slow.url}/slow-site`,
      filterByPath: false,
      ignoreQueryParameters: false,
      timeout: 2000,
    })
    expect(paths).toEqual(['/slow-site', '/hang?map'])
    expect(warning).toMatch(/time was up/)
  })

  it('fails if the timeout ends before a URL is found', async () => {
    const answer = await call('POST', '/v2/map', { body: { url: `${site.url}/hang?map2`, timeout: 1500 } })
    expect(answer).toMatchObject({ status: 408, body: { code: 'MAP_TIMEOUT' } })
  })

  it.each([
    ['a host that does not resolve', () => 'http://no-such-host.invalid/', 'SCRAPE_DNS_RESOLUTION_ERROR'],
    ['a private address', () => 'http://127.0.0.2/', 'TARGET_FORBIDDEN'],
    ['a site that breaks off', () => `${site.url}/reset`, 'SCRAPE_SITE_ERROR'],
  ])('of %s is an error, not an empty list', async (_, url, code) => {
    expect((await call('POST', '/v2/map', { body: { url: url() } })).body).toMatchObject({
      success: false,
      code,
    })
  })

  it('costs one credit, and is listed in the activity', async () => {
    const { id } = await map({ url: `${site.url}/pages/1` })
    const { data } = (await call('GET', '/v2/team/activity?endpoint=map')).body
    expect(data[0]).toMatchObject({ id, endpoint: 'map', target: `${site.url}/pages/1` })
  })
})
