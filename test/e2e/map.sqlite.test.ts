import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { siteFileRoutes } from '../site/routes/sites.ts'
import { type Site, startSite } from '../site/site.ts'

const sites: Site[] = []
const open = async (...args: Parameters<typeof startSite>) => {
  const site = await startSite(...args)
  sites.push(site)
  return site
}
let site: Site
beforeAll(async () => {
  site = await open()
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
  it('finds all products of a shop that has no sitemap, though lists have queries', async () => {
    const { paths, sources, leftOut } = await map({ url: `${site.url}/shop` })
    const products = paths.filter((path: string) => path.startsWith('/shop/product/'))
    expect(new Set(products).size).toBe(1000)
    expect(paths.filter((path: string) => path.includes('?'))).toEqual([])
    expect(sources).toEqual({ start: 1, link: 1000 })
    expect(leftOut).toMatchObject({ 'query parameters': 50 })
  })

  it('lists addresses with a query when told so', async () => {
    const { paths } = await map({ url: `${site.url}/shop`, ignoreQueryParameters: false, limit: 100 })
    expect(paths).toContain('/shop/list?page=2')
    expect(paths).toHaveLength(100)
  })

  it('knows titles, and puts pages in the order of relevance', async () => {
    const { links } = await map({ url: `${site.url}/shop`, search: 'product 777' })
    expect(links[0]).toMatchObject({ url: `${site.url}/shop/product/777`, title: 'Product 777' })
  })

  it('ranks all pages before its limit cuts them, by links and by sitemaps', async () => {
    const found = await map({ url: `${site.url}/shop`, search: 'product 777', limit: 3 })
    expect(found.links[0].url).toBe(`${site.url}/shop/product/777`)
    expect(found.links).toHaveLength(3)
    expect(found.leftOut.limit).toBe(1001 - 3)
    expect(Object.values(found.sources)).toEqual([3])
    const sitemap = [...Array.from({ length: 300 }, (_, at) => `/pages/${at}`), '/guides/refund']
    const listed = await open({ routes: siteFileRoutes({ sitemap }) })
    const { paths } = await map({ url: listed.url, sitemap: 'only', search: 'refund', limit: 2 })
    expect(paths[0]).toBe('/guides/refund')
    expect(paths).toHaveLength(2)
  })

  it('reads sitemaps, and nothing else when told so', async () => {
    const index = [['/pages/1', '/pages/2'], ['/pages/3']]
    const listed = await open({
      routes: siteFileRoutes({ index, llms: '# Site\n- [Four](/pages/4): the fourth' }),
    })
    const only = await map({ url: listed.url, sitemap: 'only' })
    expect(only.paths.sort()).toEqual(['/', '/pages/1', '/pages/2', '/pages/3'])
    // Its pages lead to one another without end.
    const both = await map({ url: listed.url, limit: 20 })
    expect(both.paths).toContain('/pages/4')
    expect(both.sources).toMatchObject({ sitemap: 3, 'llms.txt': 1 })
    const none = await map({ url: `${listed.url}/pages/1`, sitemap: 'skip', filterByPath: false, limit: 3 })
    expect(none.sources.sitemap).toBeUndefined()
  })

  it('lists with sitemaps whatever it lists without', async () => {
    // A sitemap names pages that lead to others which it does not name, and one in a way that a pattern refuses.
    const named = [
      '/tree/1',
      '/tree/2',
      '/tree/3/',
      ...Array.from({ length: 80 }, (_, at) => `/tree/9/${at}`),
    ]
    const listed = await open({ routes: siteFileRoutes({ sitemap: named }) })
    const [skip, include] = await Promise.all(
      ['skip', 'include'].map((sitemap) => map({ url: `${listed.url}/tree`, sitemap, excludePaths: ['/$'] })),
    )
    expect(skip.paths).toHaveLength(40)
    expect(include.paths).toHaveLength(40 + 80)
    expect(include.paths).toEqual(expect.arrayContaining(skip.paths))
  })

  it('goes on at the site its start leads to, with what that names, and says so', async () => {
    const other = await open({ routes: siteFileRoutes({ sitemap: ['/tree/named'] }) })
    const moved = await open({
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

  it('keeps sitemaps, unless the cache is to be ignored', async () => {
    const listed = await open({ routes: siteFileRoutes({ sitemap: ['/pages/1'] }) })
    for (let turn = 0; turn < 2; turn += 1) await map({ url: listed.url, sitemap: 'only' })
    expect(listed.hits('/sitemap.xml')).toBe(1)
    await map({ url: listed.url, sitemap: 'only', ignoreCache: true })
    expect(listed.hits('/sitemap.xml')).toBe(2)
  })

  it('lists pages that robots.txt forbids, but does not read them', async () => {
    const robots = 'user-agent: *\ndisallow: /tree/\n'
    const guarded = await open({ routes: siteFileRoutes({ robots }) })
    const { paths } = await map({ url: `${guarded.url}/tree` })
    expect(paths.sort()).toEqual(['/tree', '/tree/1', '/tree/2', '/tree/3'])
    expect(guarded.hits('/tree/1')).toBe(0)
  })

  it('stays below its path unless told otherwise, and says so', async () => {
    const { paths, warning, leftOut } = await map({ url: `${site.url}/tree/1/1/1` })
    expect(paths).toEqual(['/tree/1/1/1'])
    expect(warning).toMatch(/filterByPath/)
    expect(leftOut).toEqual({})
  })

  it('keeps its limit, and lists by patterns what is found by any page', async () => {
    expect((await map({ url: `${site.url}/shop`, limit: 10 })).paths).toHaveLength(10)
    const { paths } = await map({ url: `${site.url}/shop`, includePaths: ['/product/99\\d$'] })
    expect(paths).toHaveLength(10)
  })

  it('returns what it has when the time is up', async () => {
    const routes = { '/slow-site': ({ response }: Json) => response.end('<a href="/hang?map">x</a>') }
    const slow = await open({ routes })
    const { paths, warning } = await map({
      url: `${slow.url}/slow-site`,
      filterByPath: false,
      ignoreQueryParameters: false,
      timeout: 2000,
    })
    expect(paths).toEqual(['/slow-site', '/hang?map'])
    expect(warning).toMatch(/time was up/)
  })

  it('fails when the time is up and nothing was found', async () => {
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

  it('costs one credit and is a call like any other', async () => {
    const { id } = await map({ url: `${site.url}/pages/1` })
    const { data } = (await call('GET', '/v2/team/activity?endpoint=map')).body
    expect(data[0]).toMatchObject({ id, endpoint: 'map', target: `${site.url}/pages/1` })
  })
})
