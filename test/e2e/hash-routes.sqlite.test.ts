import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, scrape } from '../api.ts'
import { crawl, errorsOf } from '../crawls.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const routes = ['', 'deep-plugins', 'guide', 'hidden', 'settings']

/** Maps the hash route of each page to the topic in its text. */
const pagesOf = (documents: Json[], start: string) =>
  Object.fromEntries(
    documents.map(({ metadata, markdown }) => [
      metadata.sourceURL.slice(start.length),
      /about the (\w+)/.exec(markdown)?.[1],
    ]),
  )

describe.each([
  ['is empty to plain HTTP', '/hash-docs/', '#/'],
  ['comes with its first page written out', '/hash-written/', '#!/'],
])('a site of hash routes that %s', (_, path, prefix) => {
  it('is crawled with each page once and with its own text', async () => {
    const start = site.url + path
    const done = await crawl({ url: start })
    expect(pagesOf(done.data, start)).toEqual({
      '': 'purpose',
      [`${prefix}guide`]: 'installation',
      [`${prefix}settings`]: 'configuration',
      [`${prefix}deep-plugins`]: 'extension',
      [`${prefix}hidden`]: 'internals',
    })
    expect(done).toMatchObject({ status: 'completed', completed: 5, total: 5 })
    const { errors, summary } = await errorsOf(done.id)
    expect({ errors, summary }).toMatchObject({ errors: [], summary: { completed: 5, failed: 0 } })
  })

  it('is mapped with each page once', async () => {
    const { body } = await call('POST', '/v2/map', { body: { url: site.url + path } })
    const mappedRoutes = body.links.map(({ url }: Json) =>
      url.slice(`${site.url}${path}`.length).replace(prefix, ''),
    )
    expect(mappedRoutes.sort()).toEqual(routes)
  })

  it('is scraped at the route in its fragment', async () => {
    const { body } = await scrape({ url: `${site.url}${path}${prefix}guide?id=setup`, maxAge: 0 })
    expect(body.data.markdown).toContain('about the installation')
    expect(body.data.metadata.title).toBe('Documentation')
  })
})

describe('a hash route', () => {
  it('matches path patterns', async () => {
    const done = await crawl({ url: `${site.url}/hash-docs/`, includePaths: ['^/(guide|settings)$'] })
    expect(Object.keys(pagesOf(done.data, `${site.url}/hash-docs/`)).sort()).toEqual([
      '#/guide',
      '#/settings',
    ])
  })

  it('without its own content is a duplicate', async () => {
    const done = await crawl({ url: `${site.url}/hash-same/` })
    expect(done).toMatchObject({ completed: 1, total: 1, creditsUsed: 1 })
    const { errors, summary } = await errorsOf(done.id)
    expect({ errors, skipped: summary.skipped }).toEqual({ errors: [], skipped: { duplicate: 3 } })
  })

  it('returns a warning if no browser is allowed', async () => {
    const { body } = await scrape({ url: `${site.url}/hash-written/#!/guide`, maxAge: 0, fastMode: true })
    expect(body.data.warning).toMatch(/#!\/guide.*only a browser/)
  })
})
