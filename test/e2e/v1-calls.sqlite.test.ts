import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { until } from '../servers/until.ts'
import { lampRoutes } from '../site/lamps.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ routes: lampRoutes })
})
afterAll(() => site.stop())

const post = (path: string, body: object) => call('POST', path, { body })
const expectSuccess = async (path: string, body: object): Promise<Json> => {
  const answer = await post(path, body)
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  return answer.body
}
const scrapePage = async (options: object, path = '/lamps/desk'): Promise<Json> =>
  (await expectSuccess('/v1/scrape', { url: `${site.url}${path}`, ...options })).data

const schema = { type: 'object', properties: { price: { type: 'number', description: 'Price' } } }

describe('a scrape of the first version', () => {
  it('accepts formats by name', async () => {
    const document = await scrapePage({ formats: ['markdown', 'html', 'rawHtml', 'links'] }, '/article')
    expect(Object.keys(document)).toEqual(expect.arrayContaining(['markdown', 'html', 'rawHtml', 'links']))
    expect(document.metadata).toMatchObject({ statusCode: 200, sourceURL: `${site.url}/article` })
    expect((await scrapePage({})).markdown).toContain('Desk lamp')
  })

  it.each(['json', 'extract'] as const)('returns values under the name of the format %s', async (name) => {
    const option = name === 'json' ? 'jsonOptions' : 'extract'
    const document = await scrapePage({ formats: [name], [option]: { schema, systemPrompt: 'Be exact' } })
    expect(document[name]).toEqual({ price: 1299 })
    expect(document[name === 'json' ? 'extract' : 'json']).toBeUndefined()
  })

  it('takes screenshots of the full page, and runs actions', async () => {
    const actions = [{ type: 'click', selector: '#add' }, { type: 'screenshot' }, { type: 'scrape' }]
    const options = { formats: ['screenshot@fullPage', 'markdown'], actions, onlyMainContent: false }
    const document = await scrapePage({ ...options, waitFor: 1, mobile: true }, '/app/actions')
    expect(document.screenshot).toMatch(/^http/)
    expect(document.markdown).toContain('added')
    expect(document.actions).toMatchObject({ screenshots: [expect.any(String)], pdfs: [] })
  })

  it('fetches the page again unless the request allows a cached one', async () => {
    await scrapePage({}, '/pages/3')
    expect((await scrapePage({}, '/pages/3')).metadata.cacheState).not.toBe('hit')
    expect((await scrapePage({ maxAge: 600_000 }, '/pages/3')).metadata.cacheState).toBe('hit')
  })

  it('is readable by its id', async () => {
    const { metadata, markdown } = await scrapePage({})
    const { body } = await call('GET', `/v1/scrape/${metadata.scrapeId}`)
    expect(body.data.markdown).toBe(markdown)
  })

  it('names options that have no effect', async () => {
    expect((await scrapePage({ useMock: 'x' })).warning).toContain('useMock')
  })

  it.each([
    [{ formats: ['nonsense'] }, 'screenshot@fullPage'],
    [{ formats: [{ type: 'markdown' }] }, 'formats[0]'],
    [{ jsonOptions: { schema } }, 'add "json" to formats'],
    [{ changeTrackingOptions: { modes: ['git-diff'] } }, 'add "changeTracking" to formats'],
    [{ formats: ['json', 'extract'], jsonOptions: { schema }, extract: { schema } }, 'older name'],
    [{ location: { country: 'DE' }, geolocation: { country: 'DE' } }, 'older name of location'],
    [{ pageOptions: { onlyMainContent: true } }, 'pageOptions'],
    [{ formats: ['changeTracking'] }, 'markdown'],
    [{ waitFor: 20_000, timeout: 30_000 }, 'waitFor'],
  ])('returns 400 for %j', async (options, message) => {
    const { status, body } = await post('/v1/scrape', { url: 'https://a.example/', ...options })
    expect([status, body.success, body.code]).toEqual([400, false, 'BAD_REQUEST'])
    expect(body.error).toContain(message)
  })

  it.each([{ agent: { model: 'FIRE-1' } }, { formats: ['json'], jsonOptions: { schema, agent: {} } }])(
    'rejects an agent and names the alternative: %j',
    async (options) => {
      const { status, body } = await post('/v1/scrape', { url: 'https://a.example/', ...options })
      expect([status, body.code]).toEqual([400, 'OPTION_NOT_AVAILABLE'])
      expect(body.error).toContain('actions')
    },
  )
})

describe('a map of the first version', () => {
  it('lists URLs', async () => {
    const { links } = await expectSuccess('/v1/map', {
      url: `${site.url}/shop`,
      search: 'product 12',
      limit: 20,
    })
    expect(links).toHaveLength(20)
    expect(links[0]).toBe(`${site.url}/shop/product/12`)
  })

  it('supports two sitemap options that exclude each other', async () => {
    const url = `${site.url}/shop`
    const { links } = await expectSuccess('/v1/map', {
      url,
      ignoreSitemap: true,
      includeSubdomains: false,
      limit: 3,
    })
    expect(links).toHaveLength(3)
    const { status, body } = await post('/v1/map', { url, ignoreSitemap: true, sitemapOnly: true })
    expect([status, body.error]).toEqual([400, expect.stringContaining('exclude each other')])
  })
})

describe('a search of the first version', () => {
  it('returns one list, with pages if formats are given', async () => {
    await scrapePage({ formats: ['markdown'] }, '/lamps/desk')
    const query = { query: 'quellmark lighthouse', lang: 'en', country: 'us' }
    // Pages are indexed asynchronously after the scrape.
    const results = await until('the page is found', 20_000, async () => {
      const { body } = await call('POST', '/v1/search', {
        body: { ...query, scrapeOptions: { formats: [] } },
      })
      return body.data?.length > 0 ? body.data : undefined
    })
    expect(results.length).toBeLessThanOrEqual(5)
    expect(results[0]).toMatchObject({ url: expect.any(String), title: expect.any(String) })
    expect(results[0].markdown).toBeUndefined()
    const options = { formats: ['markdown', 'extract'], extract: { schema } }
    const { data } = await expectSuccess('/v1/search', { ...query, scrapeOptions: options })
    expect(data[0]).toMatchObject({ markdown: expect.stringContaining('lamp'), extract: { price: 1299 } })
  })
})

describe('other calls of the first version', () => {
  it('extracts if a client sends null', async () => {
    const urls = [`${site.url}/lamps/desk`]
    const { id } = await expectSuccess('/v1/extract', {
      urls,
      schema,
      prompt: 'The price',
      scrapeOptions: {},
    })
    await expect.poll(async () => (await call('GET', `/v1/extract/${id}`)).body.status).toBe('completed')
    expect((await call('GET', `/v1/extract/${id}`)).body.data).toEqual({ price: 1299 })
    const withoutPrompt = await post('/v1/extract', { urls, schema: null })
    expect([withoutPrompt.status, withoutPrompt.body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('returns credits, tokens and the queue', async () => {
    const read = async (path: string) => (await call('GET', `/v1/team/${path}`)).body
    expect(await read('credit-usage')).toMatchObject({ data: { remaining_credits: 999_999_999 } })
    expect(Object.keys((await read('token-usage')).data)).toEqual(
      expect.arrayContaining(['remaining_tokens', 'plan_tokens', 'billing_period_start']),
    )
    expect(await read('credit-usage/historical?byApiKey=true')).toMatchObject({ periods: expect.any(Array) })
    expect(await read('queue-status')).toMatchObject({ jobsInQueue: expect.any(Number) })
    expect(await read('activity')).toMatchObject({ data: expect.any(Array) })
  })

  it.each([
    ['POST', '/v1/deep-research', 'POST /v2/agent'],
    ['GET', '/v1/llmstxt/x', 'POST /v1/map'],
    ['POST', '/v1/fire-clone', '/v1/openapi.json'],
    ['POST', '/v0/scrape', '/v2'],
  ])(
    '%s %s requires a key first, then returns 501 with the alternative',
    async (method, path, alternative) => {
      const body = method === 'POST' ? { body: {} } : {}
      const withoutKey = await call(method, path, { ...body, key: null })
      expect([withoutKey.status, withoutKey.body.code]).toEqual([401, 'UNAUTHORIZED'])
      const answer = await call(method, path, body)
      expect([answer.status, answer.body.code]).toEqual([501, 'FEATURE_NOT_AVAILABLE'])
      expect(answer.body.error).toContain(alternative)
    },
  )

  it('has a separate description, marked as deprecated', async () => {
    const { body } = await call('GET', '/v1/openapi.json', { key: null })
    expect(body.paths['/v1/scrape'].post.deprecated).toBe(true)
    expect(Object.keys(body.paths).every((path) => path.startsWith('/v1/'))).toBe(true)
  })
})
