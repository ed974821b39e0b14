import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { read, start } from '../crawls.ts'
import { post } from '../documents/post.ts'
import { until } from '../servers/until.ts'
import { page, sendHtml } from '../site/route.ts'
import { siteFileRoutes } from '../site/routes/sites.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site

const search = (body: object) => call('POST', '/v2/search', { body })

/** Returns the paths of the results, relative to the library. */
async function paths(query: string, options: object = {}, source = 'web'): Promise<string[]> {
  const answer = await search({ query, ...options, ...(source === 'web' ? {} : { sources: [source] }) })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  return answer.body.data[source].map(({ url }: Json) => url.replace(`${site.url}/library/`, ''))
}

beforeAll(async () => {
  site = await startSite()
  const started = await start({ url: `${site.url}/library` })
  await until('the end of the crawl', 40_000, async () =>
    (await read(started.id)).status === 'completed' ? true : undefined,
  )
  // Pages are indexed asynchronously after the crawl.
  const words = ['cardinal', 'keeper', 'Fischer', 'moorings', 'bicycles', '市場', 'المنارة']
  for (const word of words)
    await until(`a page with ${word}`, 20_000, async () =>
      (await search({ query: word })).body.data?.web?.length > 0 ? true : undefined,
    )
})
afterAll(() => site.stop())

describe('a crawled site', () => {
  it('is searched by words, the most relevant page first', async () => {
    expect(await paths('tide table')).toEqual(['guide/tides', 'guide/ferries'])
    expect(await paths('harbour storm')).toEqual(['news/storm', 'news/bridge', 'guide/ferries'])
  })

  it('matches words in other forms', async () => {
    expect((await paths('keepers cleaning'))[0]).toMatch(/^guide\/lighthouse/)
  })

  it('returns duplicate pages once', async () => {
    expect(await paths('trims the wick')).toHaveLength(1)
  })

  it.each([
    ['Gezeiten', 'de/gezeiten'],
    ['Haus am Deich', 'de/gezeiten'],
    ['灯台 港', 'ja/minato'],
    ['市場', 'ja/minato'],
    ['الميناء', 'ar/mina'],
  ])('is searched in its own language: %s', async (query, path) => {
    expect((await paths(query))[0]).toBe(path)
  })

  it('returns a passage with the positions of the query terms', async () => {
    const { body } = await search({ query: 'spring tide full moon' })
    const [{ description, marks, position, title }] = body.data.web
    expect({ position, title }).toEqual({ position: 1, title: 'Tide tables explained' })
    const marked = marks.map(([start, end]: [number, number]) => description.slice(start, end))
    expect(marked).toEqual(expect.arrayContaining(['spring', 'tide', 'full', 'moon']))
  })
})

describe('operators', () => {
  it.each([
    ['"high and low water"', ['guide/tides']],
    ['"low and high water"', []],
    ['harbour -storm', ['guide/ferries']],
    ['wick OR moorings', ['guide/lighthouse', 'news/storm']],
    ['inurl:news storm', ['news/bridge', 'news/storm']],
    ['allinurl:guide ferries', ['guide/ferries']],
    ['intitle:storm harbour', ['news/storm']],
    ['allintitle:new bridge', ['news/bridge']],
    ['-intitle:storm harbour', ['news/bridge', 'guide/ferries']],
    ['filetype:csv cardinal', ['files/chart.csv']],
    ['-filetype:csv cardinal', []],
    ['site:127.0.0.1 moorings', ['news/storm']],
    ['site:example.com moorings', []],
    ['-site:127.0.0.1 moorings', []],
  ])('%s', async (query, expected) => {
    const results = await paths(query)
    expect(results.map((path) => path.replace('-print', '')).sort()).toEqual([...expected].sort())
  })

  it('find pages that are related to another', async () => {
    const related = await paths(`related:${site.url.slice('http://'.length)}/library/guide/tides`)
    expect(related).toContain('guide/ferries')
    expect(related).not.toContain('guide/tides')
    const unknown = await search({ query: 'related:nowhere.example' })
    expect(unknown.body).toMatchObject({
      ...{ data: { web: [] }, creditsUsed: 0 },
      warning: 'related:nowhere.example is not among the own pages.',
    })
  })

  it('limits results by domain', async () => {
    expect(await paths('moorings', { includeDomains: ['127.0.0.1'] })).toEqual(['news/storm'])
    expect(await paths('moorings', { includeDomains: ['docs.example.com'] })).toEqual([])
    expect(await paths('moorings', { excludeDomains: ['127.0.0.1'] })).toEqual([])
  })

  it('limits results by time, and sorts by time', async () => {
    const pathsFor = (tbs: string) => paths('harbour', { tbs })
    expect(await pathsFor('cdr:1,cd_min:01/01/2025,cd_max:12/31/2025')).toEqual(['guide/ferries'])
    expect(await pathsFor('cdr:1,cd_max:12/31/2022')).toEqual(['news/bridge'])
    expect(await pathsFor('sbd:1')).toEqual(['news/storm', 'guide/ferries', 'news/bridge'])
    expect(await pathsFor('qdr:y9,sbd:1')).toEqual(['news/storm', 'guide/ferries', 'news/bridge'])
    expect(await pathsFor('qdr:h')).toEqual([])
  })
})

describe('sources', () => {
  const images = (query: string) => search({ query, sources: ['images'] })

  it('include images with their sizes', async () => {
    const { body } = await images('tide gauge')
    expect(body.data.images[0]).toMatchObject({
      ...{ title: 'Tide gauge on the pier', imageUrl: `${site.url}/library/images/tide-gauge.png` },
      ...{ url: `${site.url}/library/guide/tides`, imageWidth: 1200, imageHeight: 800, position: 1 },
    })
  })

  it('filter images by size', async () => {
    const names = async (query: string) =>
      (await images(query)).body.data.images.map(({ imageUrl }: Json) => imageUrl.split('/').at(-1)).sort()
    expect(await names('pier OR moon OR ferry larger:800x600')).toEqual(['storm.png', 'tide-gauge.png'])
    expect(await names('pier OR moon OR ferry imagesize:320x200')).toEqual(['moon.png'])
    expect(await names('imagesize:800x600')).toEqual(['ferry.png'])
  })

  it('include news with their dates', async () => {
    const { body } = await search({ query: 'harbour', sources: ['news'], tbs: 'sbd:1' })
    expect(body.data.news).toMatchObject([
      { title: 'Storm closes the harbour', date: '2026-11-10T06:00:00.000Z', position: 1 },
      { title: 'New bridge opened', date: '2022-05-20T06:00:00.000Z', position: 2 },
    ])
    expect(body.data.news[0].snippet).toContain('harbour')
    expect(await paths('harbour', { tbs: 'cdr:1,cd_max:01/01/2025' }, 'news')).toEqual(['news/bridge'])
  })

  it('returns all sources, each with its own limit and options', async () => {
    const { body } = await search({
      ...{ query: 'harbour', limit: 1 },
      sources: ['web', { type: 'news', tbs: 'cdr:1,cd_max:01/01/2025' }, { type: 'images' }],
    })
    expect([body.data.web.length, body.data.news.length, body.data.images.length]).toEqual([1, 1, 1])
    expect(body.data.news[0].title).toBe('New bridge opened')
    expect(body.creditsUsed).toBe(2)
  })

  it('of the hosted service are skipped with a warning', async () => {
    const sources = ['web', { type: 'alexandria' }]
    const { body } = await search({ query: 'cardinal', sources })
    expect(Object.keys(body.data)).toEqual(['web'])
    expect(body.warning).toContain('Not available here: the source alexandria')
    const unsupported = await search({ query: 'cardinal', sources: ['exchange'] })
    expect([unsupported.status, unsupported.body.code, unsupported.body.option]).toEqual([
      400,
      'OPTION_NOT_AVAILABLE',
      'sources',
    ])
  })

  it('returns the category of each result', async () => {
    const { body } = await search({ query: 'harbour', categories: ['github', { type: 'pdf' }] })
    expect(body.data.web).toEqual([])
  })
})

describe('results', () => {
  it('scrapes results if formats are requested', async () => {
    const { body } = await search({ query: 'moorings', scrapeOptions: { formats: ['markdown'] } })
    expect(body.data.web).toMatchObject([
      { url: `${site.url}/library/news/storm`, markdown: expect.stringContaining('two moorings') },
    ])
    const { metadata } = body.data.web[0]
    expect(metadata).toMatchObject({ statusCode: 200, cacheState: 'hit' })
    expect(body.creditsUsed).toBe(3)
    const again = await call('GET', `/v2/scrape/${metadata.scrapeId}`)
    expect(again.body.data.markdown).toBe(body.data.web[0].markdown)
  })

  it('name a removed format in their warning', async () => {
    const { status, body } = await search({ query: 'moorings', scrapeOptions: { formats: ['menu'] } })
    expect(status).toBe(200)
    expect(body.data.web[0]).toMatchObject({ warning: expect.stringContaining('menu was removed') })
    expect(body.creditsUsed).toBe(3)
  })

  it('scrapes results later with asyncScraping', async () => {
    const { body } = await search({
      ...{ query: 'moorings', asyncScraping: true },
      scrapeOptions: { formats: ['markdown'] },
    })
    expect(body.data.web[0]).not.toHaveProperty('markdown')
    const [id] = body.scrapeIds.web
    await expect
      .poll(async () => (await call('GET', `/v2/scrape/${id}`)).body.data?.markdown)
      .toContain('two moorings')
  })

  it('are not scraped without formats, with a warning', async () => {
    const { body } = await search({ query: 'moorings', scrapeOptions: { onlyMainContent: false } })
    expect(body.data.web[0]).not.toHaveProperty('markdown')
    expect(body.warning).toContain('scrapeOptions has no formats')
  })
})

describe('indexed documents', () => {
  it('include uploaded files', async () => {
    const text = 'The sextant measures the angle between the horizon and the sun at noon.'
    await post(`<title>Sextant</title><h1>Sextant</h1><p>${text}</p>`, { name: 'sextant.html' })
    await expect.poll(() => paths('sextant horizon')).toEqual(['file:///sextant.html'])
  })

  it('have the date of the sitemap if they contain no date', async () => {
    const routes = siteFileRoutes({ sitemap: ['/pages/11'] })
    const dated = await startSite({
      routes: {
        ...routes,
        '/sitemap.xml': ({ response }) =>
          response
            .writeHead(200, { 'content-type': 'application/xml' })
            .end(`<urlset><url><loc>${dated.url}/pages/11</loc><lastmod>2021-04-05</lastmod></url></urlset>`),
      },
    })
    try {
      const started = await start({ url: `${dated.url}/pages/11`, sitemap: 'only' })
      await expect.poll(async () => (await read(started.id)).status).toBe('completed')
      await expect
        .poll(async () => (await search({ query: 'text of page 11', tbs: 'cdr:1,cd_max:12/31/2021' })).body)
        .toMatchObject({ data: { web: [{ date: '2021-04-05T00:00:00.000Z' }] } })
    } finally {
      await dated.stop()
    }
  })

  it('do not include pages that no longer exist', async () => {
    let exists = true
    const moving = await startSite({
      routes: {
        '/moving': (exchange) =>
          exists
            ? sendHtml(exchange, page('Moving', '<p>The caravan halts at the oasis of palm trees.</p>'))
            : exchange.response.writeHead(410).end('Gone.'),
      },
    })
    try {
      await scrape({ url: `${moving.url}/moving` })
      await expect.poll(() => paths('caravan oasis')).toHaveLength(1)
      exists = false
      await scrape({ url: `${moving.url}/moving`, maxAge: 0 })
      await expect.poll(() => paths('caravan oasis')).toHaveLength(0)
    } finally {
      await moving.stop()
    }
  })

  it('do not include pages that must not be stored', async () => {
    const url = `${site.url}/article`
    await scrape({ url, storeInCache: false })
    await scrape({ url: `${site.url}/pages/7` })
    await expect.poll(() => paths('text of page 7')).toContain(`${site.url}/pages/7`)
    expect(await paths('article', { includeDomains: ['127.0.0.1'] })).not.toContain(url)
  })
})

describe('an invalid search', () => {
  it.each([
    [{}, /^Invalid request body: query/],
    [{ query: '' }, /query/],
    [{ query: 'x'.repeat(501) }, /MAX_QUERY_LENGTH/],
    [{ query: 'a', limit: 101 }, /limit/],
    [{ query: 'a', sources: ['videos'] }, /sources/],
    [{ query: 'a', categories: ['books'] }, /categories/],
    [{ query: 'a', tbs: 'qdr:z' }, /qdr:z is not/],
    [{ query: 'a', country: 'USA' }, /two-letter/],
    [{ query: 'a', includeDomains: ['https://a.example/b'] }, /hostname/],
    [{ query: 'a', includeDomains: ['a.example'], excludeDomains: ['b.example'] }, /exclude each other/],
    [{ query: 'a', unknown: 1 }, /Unrecognized key/],
  ])('returns 400: %j', async (body, error) => {
    expect(await search(body)).toMatchObject({
      ...{ status: 400 },
      body: { success: false, error: expect.stringMatching(error) },
    })
  })

  it('returns 403 for a feature that the team does not have', async () => {
    const { status, body } = await search({ query: 'a', enterprise: ['zdr'] })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'ZERO_RETENTION_NOT_ENABLED' })
  })
})
