import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { crawl } from '../crawls.ts'
import { type Site, startSite } from '../site/site.ts'

const sites: Site[] = []
/** A site of its own: what is remembered of one must not be known from another test. */
const open = async () => {
  const site = await startSite()
  sites.push(site)
  return site
}
let site: Site
beforeAll(async () => {
  site = await open()
})
afterAll(() => Promise.all(sites.map((each) => each.stop())))

const data = async (url: string, options: object = {}): Promise<Json> => {
  const { body } = await scrape({ url, maxAge: 0, ...options })
  expect(body.error).toBeUndefined()
  return body.data
}
const engineOf = async (url: string, options: object = {}) => (await data(url, options)).metadata.engine

async function map(url: string): Promise<string[]> {
  const { body } = await call('POST', '/v2/map', { body: { url, filterByPath: false } })
  return body.links.map((link: Json) => new URL(link.url).pathname).sort()
}

describe('the engine that serves a page', () => {
  it('is named in its metadata, also for a page that was kept', async () => {
    expect(await engineOf(`${site.url}/engines/text/1`)).toBe('http')
    expect(await engineOf(`${site.url}/engines/text/2`, { waitFor: 1 })).toBe('chromium')
    for (const turn of ['miss', 'hit']) {
      const { metadata } = await data(`${site.url}/engines/app/kept`, { maxAge: 60_000 })
      expect(metadata).toMatchObject({ engine: 'chromium', cacheState: turn })
    }
  })

  it('is plain HTTP wherever that is enough, whatever other pages of the host need', async () => {
    const apart = await open()
    for (const number of [1, 2, 3])
      expect(await engineOf(`${apart.url}/engines/app/${number}`)).toBe('chromium')
    for (const number of [1, 2, 3]) expect(await engineOf(`${apart.url}/engines/text/${number}`)).toBe('http')
    expect(apart.hits('/engines/text/1')).toBe(1)
  })

  it('is asked at once where pages alike have needed it, and HTTP is tried again', async () => {
    const apart = await open()
    for (let number = 1; number <= 8; number += 1) await data(`${apart.url}/engines/app/${number}`)
    const twice = [1, 2, 3, 4, 5, 6, 7, 8].filter((number) => apart.hits(`/engines/app/${number}`) === 2)
    expect(twice).toEqual([1, 2, 5])
  })

  it('is plain HTTP for a page that only sends its visitors on, and for where it sends them', async () => {
    const { metadata, markdown } = await data(`${site.url}/engines/moved/7`)
    expect(metadata).toMatchObject({
      engine: 'http',
      url: `${site.url}/engines/text/7?a=1&b=2`,
      title: 'Text 7',
    })
    expect(metadata.sourceURL).toBe(`${site.url}/engines/moved/7`)
    expect(markdown).toContain('A sentence of the text 7')
    expect(await engineOf(`${site.url}/engines/moved/8`, { fastMode: true })).toBe('http')
  })

  it('is a browser for a page that sends its visitors round and round', async () => {
    const { metadata, warning } = await data(`${site.url}/engines/moved/round`)
    expect(metadata.engine).toBe('chromium')
    expect(warning).toMatch(/kept navigating|only sends its visitors on/)
  })

  it('is plain HTTP for a short page of a reference', async () => {
    const { metadata, warning } = await data(`${site.url}/engines/entry-of-reference`)
    expect({ engine: metadata.engine, warning }).toEqual({ engine: 'http', warning: undefined })
  })

  it('is plain HTTP for the pages of a crawl beside one that is not', async () => {
    const apart = await open()
    const { data: documents } = await crawl({ url: `${apart.url}/engines` })
    const engines = documents.map(({ metadata }: Json) => [new URL(metadata.url).pathname, metadata.engine])
    expect(engines).toHaveLength(14)
    expect(engines.filter(([, engine]: string[]) => engine === 'chromium')).toEqual([
      ['/engines/app/1', 'chromium'],
    ])
  })
})

describe('a map', () => {
  it('opens no browser for pages whose links are there without', async () => {
    const apart = await open()
    expect(await map(`${apart.url}/engines/thin/1`)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `/engines/thin/${number}`),
    )
    // The last one has no links at all, so a browser has the last word on it.
    expect([1, 2, 3, 4, 5].map((number) => apart.hits(`/engines/thin/${number}`))).toEqual([1, 1, 1, 1, 1])
  })

  it('opens one where links are missing, though others are there', async () => {
    const apart = await open()
    const found = await map(`${apart.url}/engines/list/7`)
    expect(found).toEqual(expect.arrayContaining(['/engines/entry/7-1', '/engines/entry/7-2', '/engines']))
  })

  it('asks for each page once, whatever a page of the host needed', async () => {
    const apart = await open()
    for (const number of [1, 2]) await data(`${apart.url}/engines/app/${number}`)
    const before = apart.requests.length
    await map(`${apart.url}/engines`)
    const asked = apart.requests.slice(before).map(({ path }) => path)
    expect(asked.filter((path) => path.startsWith('/engines/text/'))).toHaveLength(12)
    expect(apart.hits('/engines/text.css')).toBe(0)
  })
})

describe('a page with a bare noscript', () => {
  it.each([{}, { fastMode: true }, { waitFor: 1 }])(
    'is not said to need scripts with %j',
    async (options) => {
      const { markdown, warning } = await data(`${site.url}/engines/noscript`, options)
      expect(markdown).toContain('The ferry leaves at nine')
      expect(warning).toBeUndefined()
    },
  )

  it('is served by plain HTTP', async () => {
    expect(await engineOf(`${site.url}/engines/noscript`)).toBe('http')
  })
})
