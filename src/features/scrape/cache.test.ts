import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import type { Page } from '../../content/page.ts'
import { newId } from '../../platform/ids.ts'
import type { PageRow } from '../../store/pages.ts'
import { type CacheSpace, createPageCache, type PageCache } from './cache.ts'
import type { CachePolicy } from './plan.ts'

afterEach(endJobScenes)

const url = 'https://site.example/'
const read = { maxAge: 1_000_000_000, minAge: 0 }
const policy: CachePolicy = {
  ...{ key: 'key', read, write: true, screenshot: undefined, uncacheableOption: undefined },
  ...{ fetchOnMiss: true, missCode: 'SCRAPE_NO_CACHED_DATA' },
}
const screenshotOptions = { fullPage: false }

async function scene(version = '0.1.0', space: Partial<CacheSpace> = {}) {
  const { deps, store, team, time } = await jobScene()
  const { id } = await team('a')
  return {
    ...{ store, teamId: id, time },
    cache: createPageCache({
      ...{ ...deps, isShared: true, version },
      cacheSpace: { maxTeamBytes: 1e9, isFull: async () => false, ...space },
    }),
    blobs: deps.blobs,
    /** Inserts a row as it is in the store. */
    async insert(changes: Partial<PageRow>) {
      await store.query
        .insertInto('pages')
        .values({ ...storedRow, ...changes, team_id: id })
        .execute()
    },
  }
}

/** Row as the previous version stored it. */
const storedRow: PageRow = {
  id: newId(),
  cache_key: 'key',
  key_version: 1,
  team_id: '',
  ...{ url, requested_url: url, status: 200, headers: '{"content-type":"text/html"}', rendered: 0 },
  body: Buffer.from('KLUv/QBIZQEAFAI8aDE+S2VwdCBwYWdlPC9oMT48cD50ZXh0IG9mIHRoZXACALM6lcC68wk=', 'base64'),
  blob: null,
  fetched_at: 1000,
  bytes: 100,
  notes: '{"metadata":{"title":"Kept page"},"warnings":["a warning"],"version":"0.1.0"}',
}

const rowWithScreenshot = {
  rendered: 1,
  body: Buffer.from('KLUv/QBIiQAAPGgxPlJlbmRlcmVkPC9oMT5waWN0dXJl', 'base64'),
  notes:
    '{"warnings":[],"picture":{"fullPage":false,"quality":null,"mediaType":"image/png","size":7},"version":"0.1.0"}',
}

const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

describe('space limit of a team', () => {
  const fetched = (bytes: Uint8Array): Page => ({
    ...{ requestedUrl: url, url, status: 200, headers: {}, fetchedAt: 1 },
    bytes,
  })
  const noNotes = { metadata: undefined, warnings: [] }

  it('stores nothing and returns a warning if the disk is full', async () => {
    const { cache, teamId } = await scene('0.1.0', { isFull: async () => true })
    const warning = await cache.store(teamId, policy, { page: fetched(Buffer.from('x')), notes: noNotes })
    expect(warning).toContain('the disk of DATA_DIR is almost full')
    expect(await cache.lookUp(teamId, policy)).toBeUndefined()
  })

  it('does not evict other pages for a page that is larger than the limit', async () => {
    const { cache, teamId, insert } = await scene('0.1.0', { maxTeamBytes: 1000 })
    await insert({})
    const large = { page: fetched(randomBytes(5000)), notes: noNotes }
    expect(await cache.store(teamId, { ...policy, key: 'large' }, large)).toBeUndefined()
    expect(await cache.lookUp(teamId, { ...policy, key: 'large' })).toBeUndefined()
    expect(await cache.lookUp(teamId, policy)).toBeDefined()
  })
})

describe('page stored by the previous version', () => {
  it('is found with its metadata and warnings', async () => {
    const { cache, teamId, insert } = await scene()
    await insert({})
    const found = await cache.lookUp(teamId, policy)
    expect(found?.page).toMatchObject({ url, status: 200, headers: { 'content-type': 'text/html' } })
    expect(textOf(found?.page.bytes)).toBe(`<h1>Kept page</h1>${'<p>text of the page</p>'.repeat(20)}`)
    expect(found?.notes).toEqual({ metadata: { title: 'Kept page' }, warnings: ['a warning'] })
  })

  it('is found if the clock of the process that stored it is ahead', async () => {
    const { cache, teamId, insert, time } = await scene()
    await insert({ fetched_at: time.now + 400 })
    expect(await cache.lookUp(teamId, policy)).toBeDefined()
    expect(await cache.lookUp(teamId, { ...policy, read: { ...read, minAge: 1 } })).toBeUndefined()
  })

  it('is found with its screenshot', async () => {
    const { cache, teamId, insert } = await scene()
    await insert(rowWithScreenshot)
    const found = await cache.lookUp(teamId, { ...policy, screenshot: screenshotOptions })
    expect(found?.page.text).toBe('<h1>Rendered</h1>')
    expect(found?.page.captures?.screenshot?.mediaType).toBe('image/png')
    expect(textOf(found?.page.captures?.screenshot?.bytes)).toBe('picture')
  })

  it('is found without notes', async () => {
    const { cache, teamId, insert } = await scene()
    await insert({ notes: null })
    expect((await cache.lookUp(teamId, policy))?.notes).toEqual({ metadata: undefined, warnings: [] })
  })

  it('has no metadata in another release', async () => {
    const { cache, teamId, insert } = await scene('0.2.0')
    await insert({})
    expect((await cache.lookUp(teamId, policy))?.notes).toEqual({
      metadata: undefined,
      warnings: ['a warning'],
    })
  })
})

describe('stored page', () => {
  const page: Page = {
    requestedUrl: url,
    url,
    status: 200,
    headers: { a: 'b' },
    bytes: Buffer.from('<p>'),
    fetchedAt: 5,
  }
  const notes = { metadata: { title: 'T', ogLocaleAlternate: ['de'], other: 'x' }, warnings: [] }
  const storePage = (cache: PageCache, teamId: string) => cache.store(teamId, policy, { page, notes })

  it('is returned unchanged', async () => {
    const { cache, teamId } = await scene()
    await storePage(cache, teamId)
    expect(await cache.lookUp(teamId, policy)).toMatchObject({
      page: { ...page, bytes: expect.anything() },
      notes,
    })
  })

  it.each([
    ['headers', { headers: '["a"]' }],
    ['notes', { notes: '{"warnings":"none"}' }],
    ['body', { body: Buffer.from('damaged') }],
    ['blob', { body: null, blob: 'pages/missing' }],
  ])(
    'is a miss and is removed if its %s is damaged, and an older version takes its place',
    async (_, damage) => {
      const { cache, teamId, insert, store } = await scene()
      await storePage(cache, teamId)
      await cache.settled()
      await insert({ ...damage, fetched_at: 6 })
      const found = await cache.lookUp(teamId, policy)
      expect(found?.page.fetchedAt).toBe(5)
      expect(await store.query.selectFrom('pages').select('fetched_at').execute()).toEqual([
        { fetched_at: 5 },
      ])
    },
  )
})
