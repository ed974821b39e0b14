import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { crawl, errorsOf, finished, read, start } from '../crawls.ts'
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

describe('a crawl', () => {
  it('scrapes a page and all pages below it once', async () => {
    const separateSite = await openSite()
    const { paths, ...done } = await crawl({ url: `${separateSite.url}/tree` })
    expect(done).toMatchObject({
      success: true,
      status: 'completed',
      total: 40,
      completed: 40,
      creditsUsed: 40,
    })
    expect(new Set(paths).size).toBe(40)
    expect(separateSite.hits('/tree/1/2/3')).toBe(1)
    expect(done.next).toBeUndefined()
  })

  it('accounts for every discovered URL', async () => {
    const { id } = await crawl({ url: `${site.url}/tree` })
    const { summary, skipped } = await errorsOf(id)
    expect(summary).toEqual({
      ...{ completed: 40, failed: 0, cancelled: 0, living: 0, waiting: 0 },
      skipped: { 'outside the start path': 1 },
    })
    expect(skipped).toEqual([{ url: `${site.url}/`, reason: 'outside the start path' }])
  })

  it.each([1, 7, 13])('keeps a limit of %i exactly', async (limit) => {
    const done = await crawl({ url: `${site.url}/tree`, limit })
    expect(done).toMatchObject({ status: 'completed', total: limit, completed: limit, creditsUsed: limit })
    const { summary } = await errorsOf(done.id)
    expect(summary).toMatchObject({ completed: limit, waiting: 0 })
  })

  it('does not exceed its maximum depth', async () => {
    expect((await crawl({ url: `${site.url}/tree`, maxDiscoveryDepth: 1 })).completed).toBe(4)
    expect((await crawl({ url: `${site.url}/tree`, maxDiscoveryDepth: 0 })).completed).toBe(1)
  })

  it('follows patterns', async () => {
    const done = await crawl({
      url: `${site.url}/tree`,
      includePaths: ['^/tree$', '^/tree/1'],
      excludePaths: ['/3$'],
    })
    expect(done.paths).toEqual([
      ...['/tree', '/tree/1', '/tree/1/1', '/tree/1/1/1', '/tree/1/1/2'],
      ...['/tree/1/2', '/tree/1/2/1', '/tree/1/2/2'],
    ])
  })

  it('follows the links of a start page that its patterns exclude', async () => {
    const included = await crawl({ url: `${site.url}/tree`, includePaths: ['^/tree/1'], limit: 4 })
    expect(included).toMatchObject({ status: 'completed', completed: 4, total: 4, creditsUsed: 4 })
    expect(included.paths).toEqual(['/tree/1', '/tree/1/1', '/tree/1/2', '/tree/1/3'])
    expect(included.warning).toBeUndefined()
    const { errors, summary } = await errorsOf(included.id)
    expect({ errors, failed: summary.failed }).toEqual({ errors: [], failed: 0 })
    expect(summary.skipped['include paths']).toBe(3)
    const excluded = await crawl({ url: `${site.url}/tree`, excludePaths: ['^/tree$', '/[12]', '/3/'] })
    expect(excluded).toMatchObject({ status: 'completed', paths: ['/tree/3'] })
  })

  it('follows a redirect of such a start', async () => {
    const routes = { '/old': ({ response }: Json) => response.writeHead(302, { location: '/tree' }).end() }
    const moved = await openSite({ routes })
    const done = await crawl({
      url: `${moved.url}/old`,
      includePaths: ['^/tree(/1)?$'],
      crawlEntireDomain: true,
    })
    expect(done).toMatchObject({ status: 'completed', completed: 2, paths: ['/tree', '/tree/1'] })
  })

  it('warns that no page matched', async () => {
    const done = await crawl({ url: `${site.url}/tree`, includePaths: ['^/blog/'] })
    expect(done).toMatchObject({ status: 'completed', total: 0, completed: 0, creditsUsed: 0 })
    expect(done.warning).toMatch(/includePaths matched none of the 4 addresses/)
  })

  it('rejects an unsupported pattern, and names its position', async () => {
    const body = { url: site.url, includePaths: ['fine', '(?=no)'] }
    const answer = await call('POST', '/v2/crawl', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
    expect(answer.body.details[0].path).toEqual(['includePaths', 1])
  })

  it('returns one page for equivalent URLs, redirected or canonical', async () => {
    const { paths, id, warning } = await crawl({ url: `${site.url}/twins` })
    expect(paths.map((path: string) => path.split('?')[0])).toEqual(['/twins', '/twins/a', '/twins/b'])
    const { errors, skipped, summary } = await errorsOf(id)
    expect({ errors, warning }).toEqual({ errors: [], warning: undefined })
    expect(summary).toMatchObject({ completed: 3, failed: 0, skipped: { duplicate: 2 } })
    expect(skipped).toHaveLength(2)
  })

  it('lists failed pages as errors, and pages with an error status as documents', async () => {
    const done = await crawl({ url: `${site.url}/mixed` })
    expect(done).toMatchObject({ status: 'completed', completed: 3, total: 3, creditsUsed: 3 })
    const { errors, summary } = await errorsOf(done.id)
    expect(errors).toMatchObject([{ url: `${site.url}/mixed/broken`, code: 'SCRAPE_SITE_ERROR' }])
    expect(summary).toMatchObject({ completed: 3, failed: 1 })
  })

  it('follows links that only a browser renders', async () => {
    const separateSite = await openSite()
    const { paths } = await crawl({ url: `${separateSite.url}/scripted` })
    expect(paths).toEqual(['/scripted', '/scripted/1', '/scripted/2'])
  })

  it('follows a series that is linked only in the head of its pages', async () => {
    expect((await crawl({ url: `${site.url}/series/1`, crawlEntireDomain: true })).completed).toBe(4)
  })

  it('does not follow an endless calendar', async () => {
    const year = new Date().getUTCFullYear()
    const { completed, id } = await crawl({ url: `${site.url}/calendar/${year}/1`, crawlEntireDomain: true })
    expect(completed).toBe(36)
    expect((await errorsOf(id)).summary.skipped).toEqual({ trap: 1 })
  })

  it('fails with the reason if its start fails', async () => {
    const { id } = await start({ url: `${site.url}/reset` })
    const done = await finished(id)
    expect(done).toMatchObject({ success: true, status: 'failed', total: 0, completed: 0, data: [] })
    expect(done.error).toMatch(/closed the connection/)
  })

  it('reports the error of the host, not of its robots.txt', async () => {
    const done = await crawl({ url: 'http://no-such-host.invalid/' })
    expect(done).toMatchObject({ status: 'failed', total: 0, creditsUsed: 0 })
    expect(done.error).toMatch(/does not resolve/)
  })

  it('reports a refused connection in one sentence', async () => {
    const stopped = await startSite()
    await stopped.stop()
    const done = await crawl({ url: `${stopped.url}/` })
    expect(done).toMatchObject({ status: 'failed', completed: 0, error: 'The site refused the connection.' })
    expect(JSON.stringify(done)).not.toContain('robots')
    expect((await errorsOf(done.id)).errors).toMatchObject([
      { code: 'SCRAPE_SITE_ERROR', url: `${stopped.url}/` },
    ])
  })

  it('scrapes pages of other sites that the site links to, but not to their home pages', async () => {
    const other = await openSite()
    const links = ['/pages/7', '/', '/logo.png'].map((path) => `<a href="${other.url}${path}">x</a>`).join('')
    const origin = await openSite({
      routes: {
        '/out': ({ response }) => {
          response.setHeader('content-type', 'text/html')
          response.end(`<title>Out</title><p>Some words.</p>${links}`)
        },
      },
    })
    const { id, data } = await crawl({ url: `${origin.url}/out`, allowExternalLinks: true })
    const urls = data.map((document: Json) => document.metadata.sourceURL)
    expect(urls.sort()).toEqual([`${origin.url}/out`, `${other.url}/pages/7`].sort())
    const { errors, summary } = await errorsOf(id)
    expect(errors).toMatchObject([{ url: `${other.url}/`, code: 'EXTERNAL_LINK' }])
    expect(summary.skipped).toEqual({ file: 1, 'home page of another site': 1 })
  })

  it('continues at the site that its start redirects to, with its robots.txt and sitemap, and warns', async () => {
    const robots = 'user-agent: *\ndisallow: /tree/2\n'
    const other = await openSite({
      routes: siteFileRoutes({ robots, sitemap: ['/tree/1/1/named', '/pages/1'] }),
    })
    const moved = await openSite({
      routes: {
        '/tree': ({ response }) => response.writeHead(302, { location: `${other.url}/tree` }).end(),
        // The sitemap lists pages of the other site before the redirect is known.
        ...siteFileRoutes({ sitemap: [`${other.url}/tree/3/3/3`] }),
      },
    })
    const done = await crawl({ url: `${moved.url}/tree` })
    expect(done.warning).toContain(`redirects to ${other.url}/tree, so the crawl went on there`)
    expect(done.status).toBe('completed')
    expect(done.paths).toHaveLength(1 + 2 + 6 + 18 + 1)
    expect(done.paths).toEqual(expect.arrayContaining(['/tree', '/tree/1/1/named', '/tree/3/3/3']))
    expect((await errorsOf(done.id)).robotsBlocked).toEqual([`${other.url}/tree/2`])
  })

  it('is complete and empty if its patterns exclude every page', async () => {
    const done = await crawl({ url: `${site.url}/tree`, excludePaths: ['.*'] })
    expect(done).toMatchObject({ status: 'completed', total: 0, completed: 0, data: [] })
  })

  it('returns each document once across its result pages', async () => {
    const { id } = await crawl({ url: `${site.url}/tree` })
    const seen: string[] = []
    for (let page = await read(id, '?limit=15'); ; ) {
      seen.push(...page.data.map((document: Json) => document.metadata.sourceURL))
      if (page.next === undefined) break
      const next = new URL(page.next)
      page = (await call('GET', next.pathname + next.search)).body
    }
    expect([seen.length, new Set(seen).size]).toEqual([40, 40])
  })

  it('stops when it is cancelled, and keeps its completed pages', async () => {
    const { id } = await start({
      url: `${site.url}/ring/1?of=5000`,
      limit: 5000,
      maxConcurrency: 2,
      crawlEntireDomain: true,
    })
    await expect.poll(async () => (await read(id)).completed, { timeout: 20_000 }).toBeGreaterThan(3)
    expect(await call('DELETE', `/v2/crawl/${id}`)).toMatchObject({
      status: 200,
      body: { status: 'cancelled' },
    })
    const after = await read(id)
    expect(after).toMatchObject({ status: 'cancelled' })
    expect(after.total).toBe(after.completed)
    const { summary } = await errorsOf(id)
    expect(summary).toMatchObject({ living: 0, waiting: 0, completed: after.completed })
    expect(await call('DELETE', `/v2/crawl/${id}`)).toMatchObject({ status: 409 })
    expect((await read(id)).completed).toBe(after.completed)
  })

  it('never exceeds its concurrency', async () => {
    let active = 0
    let maxActive = 0
    const limitReached = Promise.withResolvers<void>()
    const slow = await openSite({
      routes: {
        '/few/:number': async ({ response, params: part }) => {
          active += 1
          maxActive = Math.max(maxActive, active)
          // The first pages wait until the limit is reached. The delay gives an excess page time to start.
          if (active === 2) limitReached.resolve()
          if (part.number !== '0') await limitReached.promise
          await new Promise((resolve) => setTimeout(resolve, 30))
          active -= 1
          const links = Array.from({ length: 12 }, (_, index) => `<a href="/few/${index}">x</a>`).join('')
          response.setHeader('content-type', 'text/html')
          response.end(`<title>${part.number}</title><p>Some words.</p>${links}`)
        },
      },
    })
    const done = await crawl({ url: `${slow.url}/few/0`, crawlEntireDomain: true, maxConcurrency: 2 })
    expect(done.completed).toBe(12)
    expect(maxActive).toBe(2)
  })

  it('is listed while it is running', async () => {
    const { id } = await start({ url: `${site.url}/hang?active`, scrapeOptions: { formats: ['html'] } })
    for (const path of ['/v2/crawl/active', '/v2/crawl/ongoing']) {
      const { crawls } = (await call('GET', path)).body
      const listed = crawls.find((each: Json) => each.id === id)
      expect(listed).toMatchObject({
        url: `${site.url}/hang?active`,
        options: { limit: 10_000, scrapeOptions: {} },
      })
    }
    await call('DELETE', `/v2/crawl/${id}`)
    const { crawls } = (await call('GET', '/v2/crawl/active')).body
    expect(crawls.filter((each: Json) => each.id === id)).toEqual([])
  })

  it('returns 404 for an unknown id and 400 for a malformed id', async () => {
    expect((await call('GET', '/v2/crawl/00000000-0000-7000-8000-000000000000')).status).toBe(404)
    expect((await call('GET', '/v2/crawl/nonsense/errors')).status).toBe(400)
  })

  it('starts once per idempotency key', async () => {
    const headers = { 'x-idempotency-key': `crawl-${Math.random()}` }
    const body = { url: `${site.url}/pages/1`, limit: 1 }
    const first = await call('POST', '/v2/crawl', { body, headers })
    const again = await call('POST', '/v2/crawl', { body, headers })
    expect(again).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED', id: first.body.id } })
  })
})
