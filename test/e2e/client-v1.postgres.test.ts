import { once } from 'node:events'
import { FirecrawlAppV1 } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, type Json, teamKey } from '../api.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
})
afterAll(() => site.stop())

const client = () => new FirecrawlAppV1({ apiUrl: inject('deployment').urls[0] ?? '', apiKey: teamKey() })
const schema = { type: 'object', properties: { price: { type: 'number', description: 'Price' } } }
const pages = (count: number) => Array.from({ length: count }, (_, index) => `${site.url}/pages/${index + 1}`)

/** Asserts that the response is a success, and narrows its type. */
function expectSuccess<Answer extends { success: boolean }>(
  answer: Answer,
): Extract<Answer, { success: true }> {
  expect(answer.success).toBe(true)
  // The types of the first version distinguish success and error only by this field.
  return answer as Extract<Answer, { success: true }>
}

describe('the published JavaScript client of the first version', () => {
  it('scrapes with every option of the client', async () => {
    const document: Json = expectSuccess(
      await client().scrapeUrl(`${site.url}/lamps/desk`, {
        formats: ['markdown', 'html', 'rawHtml', 'links', 'json'],
        jsonOptions: { schema: schema as never, systemPrompt: 'Be exact' },
        ...{ headers: { 'x-mine': 'yes' }, includeTags: ['main', 'body'], excludeTags: ['nav'] },
        ...{ onlyMainContent: false, waitFor: 1, timeout: 30_000, mobile: true, blockAds: true },
        ...{ location: { country: 'DE', languages: ['de-DE'] }, proxy: 'basic', parsePDF: true },
        ...{ skipTlsVerification: true, removeBase64Images: true, storeInCache: false, maxAge: 0 },
        actions: [{ type: 'wait', milliseconds: 10 }, { type: 'scrape' }],
      }),
    )
    expect(document).toMatchObject({ json: { price: 1299 }, metadata: { statusCode: 200 } })
    expect(document.markdown).toContain('Desk lamp')
    expect(document.actions.scrapes).toHaveLength(1)
  })

  it('gets an error with the reason why a scrape failed', async () => {
    const failing = client().scrapeUrl('http://no-such-host.invalid/', {})
    await expect(failing).rejects.toMatchObject({ statusCode: expect.any(Number) })
    const invalid = client().scrapeUrl(`${site.url}/pages/1`, { waitFor: -1 })
    await expect(invalid).rejects.toThrow(/waitFor/)
    const unauthenticated = new FirecrawlAppV1({ apiUrl: client().apiUrl, apiKey: 'fc-wrong' })
    await expect(unauthenticated.scrapeUrl(`${site.url}/pages/1`, {})).rejects.toMatchObject({
      statusCode: 401,
    })
  })

  it('crawls to the end', async () => {
    const done = expectSuccess(
      await client().crawlUrl(`${site.url}/tree`, {
        ...{ includePaths: ['^/tree'], excludePaths: ['/nothing'], maxDepth: 5, maxDiscoveryDepth: 3 },
        ...{ limit: 6, allowBackwardLinks: false, allowExternalLinks: false, ignoreSitemap: true },
        ...{ deduplicateSimilarURLs: true, ignoreQueryParameters: true, regexOnFullURL: false },
        ...{ allowSubdomains: false, maxConcurrency: 4 },
        webhook: { url: `${site.url}/hook`, events: ['completed'] },
        scrapeOptions: { formats: ['markdown', 'links'], onlyMainContent: false },
      }),
    )
    expect(done).toMatchObject({ status: 'completed', total: 6, completed: 6 })
    expect(new Set(done.data.map(({ metadata }) => metadata?.sourceURL)).size).toBe(6)
  })

  it('starts, reads and cancels a crawl, and reads its errors', async () => {
    const { id = '' } = expectSuccess(await client().asyncCrawlUrl(`${site.url}/hang?client-v1`, {}))
    expect(expectSuccess(await client().checkCrawlStatus(id)).status).toBe('scraping')
    expect(await client().cancelCrawl(id)).toMatchObject({ status: 'cancelled' })
    expect(expectSuccess(await client().checkCrawlStatus(id)).status).toBe('cancelled')
    expect(await client().checkCrawlErrors(id)).toMatchObject({ errors: [], robotsBlocked: [] })
  })

  it('runs a batch to its end, and reads it as a crawl', async () => {
    const done = expectSuccess(await client().batchScrapeUrls(pages(3), { formats: ['markdown'] }))
    expect(done).toMatchObject({ status: 'completed', total: 3 })
    expect(done.data).toHaveLength(3)
    const { id = '', invalidURLs } = expectSuccess(
      await client().asyncBatchScrapeUrls([...pages(1), 'nonsense'], {}, undefined, undefined, true),
    )
    expect(invalidURLs).toEqual(['nonsense'])
    expect(['scraping', 'completed']).toContain(
      expectSuccess(await client().checkBatchScrapeStatus(id)).status,
    )
    expect(await client().checkBatchScrapeErrors(id)).toMatchObject({ errors: [] })
  })

  it('follows links to all documents of a job', async () => {
    const { id = '' } = expectSuccess(await client().asyncBatchScrapeUrls(pages(5), {}))
    const read = () => client().checkBatchScrapeStatus(id, true, undefined, 0, 2)
    await expect.poll(async () => expectSuccess(await read()).status).toBe('completed')
    expect(expectSuccess(await read()).data).toHaveLength(5)
  })

  it.each(['crawl', 'batch'] as const)('watches a %s until it is done', async (kind) => {
    const urls = [1, 2, 3].map((number) => `${site.url}/slow?ms=${number * 200}&${Math.random()}`)
    const watcher =
      kind === 'crawl'
        ? await client().crawlUrlAndWatch(`${site.url}/tree`, { limit: 3 })
        : await client().batchScrapeUrlsAndWatch(urls, {})
    const documents: Json[] = []
    watcher.addEventListener('document', ({ detail }) => void documents.push(detail))
    const ended: [{ detail: Json }] = (await once(watcher, 'done')) as never
    expect(ended[0].detail.status).toBe('completed')
    expect(new Set(documents.map(({ metadata }) => metadata.sourceURL)).size).toBe(3)
    watcher.close()
  })

  it('maps, searches and extracts', async () => {
    const options = { search: 'product 12', ignoreSitemap: true, limit: 20, timeout: 30_000 }
    const { links = [] } = expectSuccess(await client().mapUrl(`${site.url}/shop`, options))
    expect([links.length, links[0]]).toEqual([20, `${site.url}/shop/product/12`])
    await client().scrapeUrl(`${site.url}/library/guide/tides`, {})
    const search = () =>
      client().search('harbour tide', { limit: 3, scrapeOptions: { formats: ['markdown'] } })
    await expect.poll(async () => (await search()).data.length).toBeGreaterThan(0)
    expect((await search()).data[0]).toMatchObject({ url: expect.any(String), title: expect.any(String) })
    const extracted = expectSuccess(
      await client().extract([`${site.url}/lamps/desk`], { schema, showSources: true, origin: 'test' }),
    )
    expect(extracted).toMatchObject({ data: { price: 1299 }, sources: expect.anything() })
  })

  it('reads usage, and gets errors that name unavailable features', async () => {
    expect(await client().getCreditUsage()).toMatchObject({ data: { remaining_credits: 999_999_999 } })
    expect(await client().getTokenUsage()).toMatchObject({ data: { plan_tokens: expect.any(Number) } })
    expect(await client().getCreditUsageHistorical(true)).toMatchObject({ periods: expect.any(Array) })
    expect(await client().getQueueStatus()).toMatchObject({ maxConcurrency: expect.any(Number) })
    await expect(client().deepResearch('x', {})).rejects.toThrow(/POST \/v2\/agent/)
    await expect(client().generateLLMsText(site.url, {})).rejects.toThrow(/\/v1\/map/)
    await client().scrapeUrl(`${site.url}/pages/1`, {})
    expect((await call('GET', '/v2/team/activity')).body.data.length).toBeGreaterThan(0)
  })
})
