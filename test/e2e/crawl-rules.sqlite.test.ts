import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, createTeam, type Json } from '../api.ts'
import { crawl, errorsOf, finished, start } from '../crawls.ts'
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

describe('robots.txt and sitemaps', () => {
  it('are obeyed, and forbidden URLs are listed', async () => {
    const guarded = await openSite({
      routes: siteFileRoutes({ robots: 'user-agent: *\ndisallow: /tree/2\n' }),
    })
    const done = await crawl({ url: `${guarded.url}/tree` })
    expect(done.completed).toBe(27)
    expect(done.warning).toMatch(/1 pages were skipped because robots.txt/)
    expect((await errorsOf(done.id)).robotsBlocked).toEqual([`${guarded.url}/tree/2`])
    expect(guarded.hits('/tree/2')).toBe(0)
  })

  it('applies robots.txt for the given user agent, or ignores it', async () => {
    const robots = 'user-agent: FooBot\ndisallow: /\nuser-agent: *\nallow: /\n'
    const guarded = await openSite({ routes: siteFileRoutes({ robots }) })
    const denied = await crawl({ url: `${guarded.url}/tree`, robotsUserAgent: 'FooBot' })
    expect(denied).toMatchObject({ status: 'failed', completed: 0 })
    expect(denied.error).toMatch(/robots.txt/)
    expect(await errorsOf(denied.id)).toMatchObject({
      errors: [],
      robotsBlocked: [`${guarded.url}/tree`],
      skipped: [{ url: `${guarded.url}/tree`, reason: 'robots.txt' }],
      summary: { completed: 0, failed: 0, skipped: { 'robots.txt': 1 } },
    })
    expect(denied.warning).toMatch(/^1 pages were skipped because robots.txt/)
    const ignoring = await crawl({
      url: `${guarded.url}/tree`,
      robotsUserAgent: 'FooBot',
      ignoreRobotsTxt: true,
      limit: 2,
    })
    expect(ignoring.completed).toBe(2)
  })

  it('that cannot be fetched forbid everything, as the standard requires, and the crawl reports it', async () => {
    const routes = { '/robots.txt': ({ response }: Json) => response.writeHead(503).end() }
    const failing = await openSite({ routes })
    const done = await crawl({ url: `${failing.url}/tree` })
    expect(done).toMatchObject({ status: 'failed', completed: 0 })
    expect(done.error).toMatch(/robots.txt answers 503/)
    expect((await crawl({ url: `${failing.url}/tree`, ignoreRobotsTxt: true, limit: 2 })).completed).toBe(2)
  })

  it('finds pages of the sitemap that have no links', async () => {
    const index = [
      ['/pages/1', '/pages/2'],
      ['/pages/3', '/elsewhere.png'],
    ]
    const listed = await openSite({ routes: siteFileRoutes({ index }) })
    const done = await crawl({ url: `${listed.url}/pages`, sitemap: 'only' })
    expect(done.paths).toEqual(['/pages/1', '/pages/2', '/pages/3'])
    const skipped = await crawl({ url: `${listed.url}/tree`, sitemap: 'skip', limit: 3 })
    expect(skipped.completed).toBe(3)
    expect(listed.hits('/sitemap-0.xml.gz')).toBe(1)
  })

  it('that list no page of the crawl limit it to its start', async () => {
    const withoutSitemap = await crawl({ url: `${site.url}/tree`, sitemap: 'only' })
    expect(withoutSitemap).toMatchObject({ status: 'completed', paths: ['/tree'] })
    expect(withoutSitemap.warning).toMatch(/no sitemap that could be read, so only the start was taken/)
    const foreign = await openSite({ routes: siteFileRoutes({ sitemap: ['/pages/1'] }) })
    const foreignOnly = await crawl({ url: `${foreign.url}/tree`, sitemap: 'only' })
    expect(foreignOnly).toMatchObject({ status: 'completed', paths: ['/tree'] })
    expect(foreignOnly.warning).toMatch(/names no page of this crawl/)
  })

  it('are read from the site that the start redirects to', async () => {
    const other = await openSite({ routes: siteFileRoutes({ sitemap: ['/tree/1'] }) })
    const location = `${other.url}/tree`
    const routes = { '/tree': ({ response }: Json) => response.writeHead(301, { location }).end() }
    const done = await crawl({ url: `${(await openSite({ routes })).url}/tree`, sitemap: 'only' })
    expect(done).toMatchObject({ status: 'completed', paths: ['/tree', '/tree/1'] })
    expect(done.warning).toContain(`redirects to ${location}`)
  })

  it('set a crawl delay, and the crawl applies it', async () => {
    const robots = 'user-agent: *\ncrawl-delay: 0.3\n'
    const slow = await openSite({ routes: siteFileRoutes({ robots }) })
    const done = await crawl({ url: `${slow.url}/tree`, limit: 4 })
    expect(done.completed).toBe(4)
    expect(done.warning).toMatch(/asks for 0.3 s/)
  })
})

describe('the credits of a team', () => {
  it('end a crawl when they are used up, and the remaining pages are counted as skipped', async () => {
    const team = await createTeam({ credits: 5 })
    const startCrawl = () => team.call('POST', '/v2/crawl', { body: { url: `${site.url}/tree` } })
    const { id } = (await startCrawl()).body
    const status = async () => (await team.call('GET', `/v2/crawl/${id}`)).body
    await expect.poll(async () => (await status()).status, { timeout: 30_000 }).toBe('completed')
    expect(await status()).toMatchObject({
      completed: 5,
      creditsUsed: 5,
      warning: expect.stringMatching(/credits/),
    })
    const { summary } = (await team.call('GET', `/v2/crawl/${id}/errors`)).body
    expect(summary.skipped.credits).toBeGreaterThan(0)
    expect(await startCrawl()).toMatchObject({ status: 402, body: { code: 'CREDITS_EXHAUSTED' } })
  })
})

describe('a prompt', () => {
  it('converts a prompt into options, and names unsupported parts', async () => {
    const body = {
      url: `${site.url}/shop`,
      prompt: 'Only the product pages, at most 5 pages. Paint them blue!',
      origin: 'test',
    }
    const { status, body: answer } = await call('POST', '/v2/crawl/params-preview', { body })
    expect(status).toBe(200)
    expect(answer.data).toMatchObject({
      url: `${site.url}/shop`,
      limit: 5,
      includePaths: ['^/shop/product(?:/|$)'],
    })
    expect(answer.warning).toMatch(/paint them blue/)
  })

  it('fills in options that the request does not set', async () => {
    const { id, promptGeneratedOptions, finalCrawlerOptions } = await start({
      url: `${site.url}/tree`,
      prompt: 'at most 5 pages, depth 1',
      limit: 3,
    })
    expect(promptGeneratedOptions).toMatchObject({ limit: 5, maxDiscoveryDepth: 1 })
    expect(finalCrawlerOptions).toMatchObject({ limit: 3, maxDiscoveryDepth: 1 })
    expect((await finished(id)).completed).toBe(3)
  })
})
