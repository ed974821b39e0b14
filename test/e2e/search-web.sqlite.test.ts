import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { type SearchEngines, startSearchEngines, type Trouble } from '../servers/search-engines.ts'
import { type Site, startSite } from '../site/site.ts'

let engines: SearchEngines
let site: Site
let service: OwnService
beforeAll(async () => {
  engines = await startSearchEngines()
  site = await startSite()
  service = await startOwnService(settings())
})
afterAll(async () => {
  await service.remove()
  await Promise.all([engines.stop(), site.stop()])
})

const settings = () => ({ SEARCH_PROVIDERS: '', SEARCH_URLS: engines.urls })

/** Creates a team for each test, so that no test finds the pages of another test. */
async function createSearcher() {
  const key = await service.newTeam()
  return (body: object) => service.call('POST', '/v2/search', { body, key })
}

beforeEach(() => engines.find())

describe('without configuration', () => {
  it('the web is searched without a key, with every source and category', async () => {
    const search = await createSearcher()
    const { body } = await search({ query: 'tea', categories: ['github', 'research'] })
    expect(body).toMatchObject({ success: true, creditsUsed: 2 })
    const categories = new Set(body.data.web.map(({ category }: Json) => category))
    expect(categories).toEqual(new Set(['github', 'research']))
    expect(engines.requestsTo('github')[0]?.get('q')).toContain('tea')
    const { body: combined } = await search({ query: 'tea', sources: ['web', 'images'] })
    expect(combined.data.web[0]).toMatchObject({ position: 1, url: expect.stringContaining('https://') })
    expect(combined.data.images[0].imageUrl).toContain('https://')
    const news = await search({ query: 'tea', sources: ['news'] })
    expect(news.body.data.news[0]).toMatchObject({ title: expect.stringContaining('Tea') })
  })

  it('passes operators, dates and locations to the engine', async () => {
    const search = await createSearcher()
    const last = () => engines.requestsTo('duckduckgo').at(-1)
    await search({
      ...{ query: '"green tea" -coffee intitle:cup', tbs: 'qdr:w', country: 'de', lang: 'de' },
      includeDomains: ['a.example', 'b.example'],
    })
    expect(last()?.get('q')).toBe('"green tea" -coffee intitle:cup site:a.example OR site:b.example')
    expect(Object.fromEntries(last() ?? [])).toMatchObject({ kl: 'de-de', df: 'w' })
    await search({ query: 'tea', categories: ['pdf'], excludeDomains: ['c.example'] })
    expect(last()?.get('q')).toBe('tea -site:c.example filetype:pdf')
  })

  it('the warning names what an engine does not support', async () => {
    const search = await createSearcher()
    const { body } = await search({ query: 'green tea', sources: ['images'], country: 'DE' })
    expect(body.warning).toContain('openverse has no results by country.')
  })

  it('results on other sites than the requested ones are omitted', async () => {
    const search = await createSearcher()
    const { body } = await search({ query: 'tea', includeDomains: ['elsewhere.example'] })
    expect(body.data.web).toEqual([])
  })
})

describe('failing engines', () => {
  it('are replaced by the next engine; without a next engine, the search fails', async () => {
    // Each failure uses other engines, because a failed engine is not called for a while.
    const cases: [string[], Trouble, object][] = [
      [['wikipedia'], 'error', {}],
      [['arxiv', 'crossref'], 'changed', { categories: ['research'] }],
      [['github'], 'rate limit', { categories: ['github'] }],
      [['openverse'], 'malformed', { sources: ['images'] }],
      [['gdelt'], 'error', { sources: ['news'] }],
    ]
    const names = ['duckduckgo', ...cases.flatMap(([engineNames]) => engineNames)]
    const own = await startOwnService({ ...settings(), SEARCH_PROVIDERS: names.join(',') })
    const search = (body: object) => own.call('POST', '/v2/search', { body })
    try {
      engines.trouble('duckduckgo', 'captcha')
      const replaced = await search({ query: 'tea' })
      expect(replaced.body.data.web[0].url).toContain('wikipedia.org')
      expect(replaced.body.warning.toLowerCase()).toContain('duckduckgo')
      for (const [engineNames, trouble, options] of cases) {
        for (const name of engineNames) engines.trouble(name, trouble)
        const { status, body } = await search({ query: 'tea pot', ...options })
        expect({ trouble, status, code: body.code }).toEqual({
          ...{ trouble, status: 503, code: 'SEARCH_ENGINE_FAILED' },
        })
        expect(body.details.length).toBeGreaterThanOrEqual(engineNames.length)
      }
    } finally {
      for (const name of names) engines.trouble(name, undefined)
      await own.remove()
    }
  })

  it('delay a search no longer than its timeout', async () => {
    const search = await createSearcher()
    engines.trouble('wikimedia-commons', 'silence')
    engines.trouble('openverse', 'silence')
    const { status, body } = await search({ query: 'tea later', sources: ['images'], timeout: 1500 })
    engines.trouble('wikimedia-commons', undefined)
    engines.trouble('openverse', undefined)
    expect({ status, code: body.code }).toEqual({ status: 408, code: 'SCRAPE_TIMEOUT' })
  })
})

describe('results of engines', () => {
  it('are scraped; a failed scrape keeps the text and reports the error', async () => {
    const search = await createSearcher()
    engines.find(
      { url: `${site.url}/pages/3`, title: 'Page three', text: 'The third.' },
      { url: 'https://nowhere.invalid/', title: 'Nowhere', text: 'Not there.' },
      { url: `${site.url}/status/404`, title: 'Gone', text: 'No more.' },
    )
    const { body } = await search({ query: 'pages', scrapeOptions: { formats: ['markdown', 'links'] } })
    const [good, unknown, gone] = body.data.web
    expect(good).toMatchObject({
      title: 'Page three',
      description: 'The third.',
      metadata: { statusCode: 200 },
    })
    expect(good.markdown).toContain('This is the text of page 3.')
    expect(unknown).toMatchObject({
      description: 'Not there.',
      metadata: { error: expect.stringContaining('resolve') },
    })
    expect(unknown).not.toHaveProperty('markdown')
    expect(gone.metadata.statusCode).toBe(404)
    // The scraped page is now also in the index, but is returned only once.
    await expect
      .poll(async () => (await search({ query: 'text of page 3' })).body.data.web.map(({ url }: Json) => url))
      .toEqual([`${site.url}/pages/3`, 'https://nowhere.invalid/', `${site.url}/status/404`])
  })

  it('omits results whose URL other endpoints would reject', async () => {
    const search = await createSearcher()
    engines.find(
      { url: 'http://intranet/x', title: 'Local', text: '' },
      { url: 'https://a.example/', title: 'A', text: '' },
    )
    const urls = async (body: object) => (await search(body)).body.data.web.map(({ url }: Json) => url)
    expect(await urls({ query: 'all' })).toHaveLength(2)
    expect(await urls({ query: 'all', ignoreInvalidURLs: true })).toEqual(['https://a.example/'])
  })
})

describe('settings', () => {
  it('prevent startup if they are invalid', async () => {
    const invalid = startOwnService({ ...settings(), SEARCH_PROVIDERS: 'altavista' })
    await expect(invalid).rejects.toThrow('SEARCH_PROVIDERS names "altavista"')
  })

  it('that were removed are named in the log and ignored', async () => {
    const own = await startOwnService({
      ...{ SEARCH_URLS: engines.urls, SEARCH_PROVIDERS: 'exa,duckduckgo', SEARCH_KEYS: 'searchapi=KEY' },
      ...{ LEARNED_EXTRACTORS: 'on', LOG_LEVEL: 'warn' },
    })
    try {
      const { body } = await own.call('POST', '/v2/search', { body: { query: 'tea' } })
      expect(body.data.web).not.toEqual([])
      for (const name of ['SEARCH_PROVIDERS', 'SEARCH_KEYS', 'LEARNED_EXTRACTORS'])
        expect(own.output()).toMatch(new RegExp(`"message":"${name} .*removed`))
    } finally {
      await own.remove()
    }
  })
})
