import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { crawl } from '../crawls.ts'
import { type Site, startSite } from '../site/site.ts'

const sites: Site[] = []
/** Starts a separate site, because the service stores which engine the pages of a site need. */
const openSite = async () => {
  const site = await startSite()
  sites.push(site)
  return site
}
let site: Site
beforeAll(async () => {
  site = await openSite()
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

describe('the engine of a page', () => {
  it('is named in its metadata, also for a cached page', async () => {
    expect(await engineOf(`${site.url}/engines/text/1`)).toBe('http')
    expect(await engineOf(`${site.url}/engines/text/2`, { waitFor: 1 })).toBe('chromium')
    for (const expected of ['miss', 'hit']) {
      const { metadata } = await data(`${site.url}/engines/app/kept`, { maxAge: 60_000 })
      expect(metadata).toMatchObject({ engine: 'chromium', cacheState: expected })
    }
  })

  it('is plain HTTP if that is enough, even if other pages of the host need a browser', async () => {
    const separateSite = await openSite()
    for (const number of [1, 2, 3])
      expect(await engineOf(`${separateSite.url}/engines/app/${number}`)).toBe('chromium')
    for (const number of [1, 2, 3])
      expect(await engineOf(`${separateSite.url}/engines/text/${number}`)).toBe('http')
    expect(separateSite.hits('/engines/text/1')).toBe(1)
  })

  it('is a browser from the start if similar pages needed it, and HTTP is retried later', async () => {
    const separateSite = await openSite()
    for (let number = 1; number <= 8; number += 1) await data(`${separateSite.url}/engines/app/${number}`)
    const fetchedTwice = [1, 2, 3, 4, 5, 6, 7, 8].filter(
      (number) => separateSite.hits(`/engines/app/${number}`) === 2,
    )
    expect(fetchedTwice).toEqual([1, 2, 5])
  })

  it('is plain HTTP for a page that only redirects its visitors, and for its target', async () => {
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

  it('is a browser for a page that redirects its visitors in a loop', async () => {
    const { metadata, warning } = await data(`${site.url}/engines/moved/round`)
    expect(metadata.engine).toBe('chromium')
    expect(warning).toMatch(/kept navigating|only sends its visitors on/)
  })

  it('is plain HTTP for a short reference page', async () => {
    const { metadata, warning } = await data(`${site.url}/engines/entry-of-reference`)
    expect({ engine: metadata.engine, warning }).toEqual({ engine: 'http', warning: undefined })
  })

  it('is plain HTTP for the pages of a crawl next to a page that needs a browser', async () => {
    const separateSite = await openSite()
    const { data: documents } = await crawl({ url: `${separateSite.url}/engines` })
    const engines = documents.map(({ metadata }: Json) => [new URL(metadata.url).pathname, metadata.engine])
    expect(engines).toHaveLength(14)
    expect(engines.filter(([, engine]: string[]) => engine === 'chromium')).toEqual([
      ['/engines/app/1', 'chromium'],
    ])
  })
})

describe('a map', () => {
  it('opens no browser for pages whose HTML contains their links', async () => {
    const separateSite = await openSite()
    expect(await map(`${separateSite.url}/engines/thin/1`)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `/engines/thin/${number}`),
    )
    // The last page has no links at all, so it is also opened in a browser.
    expect([1, 2, 3, 4, 5].map((number) => separateSite.hits(`/engines/thin/${number}`))).toEqual([
      1, 1, 1, 1, 1,
    ])
  })

  it('opens a browser if links are missing, even if others exist', async () => {
    const separateSite = await openSite()
    const paths = await map(`${separateSite.url}/engines/list/7`)
    expect(paths).toEqual(expect.arrayContaining(['/engines/entry/7-1', '/engines/entry/7-2', '/engines']))
  })

  it('requests each page once, even if a page of the host needed a browser', async () => {
    const separateSite = await openSite()
    for (const number of [1, 2]) await data(`${separateSite.url}/engines/app/${number}`)
    const requestsBefore = separateSite.requests.length
    await map(`${separateSite.url}/engines`)
    const requested = separateSite.requests.slice(requestsBefore).map(({ path }) => path)
    expect(requested.filter((path) => path.startsWith('/engines/text/'))).toHaveLength(12)
    expect(separateSite.hits('/engines/text.css')).toBe(0)
  })
})

describe('a page with a bare noscript', () => {
  it.each([{}, { fastMode: true }, { waitFor: 1 }])(
    'is not reported to need scripts with %j',
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
