import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { sentenceModelFolder } from '../../test/sentence-model.ts'
import { changeAccount } from '../accounts/team-account.ts'
import { packFields } from '../extraction/page-parts/search/search-fields.ts'
import { systemClock } from '../platform/clock.ts'
import { silentLog } from '../platform/log.ts'
import { sqliteDatabase } from '../store/database/sqlite.ts'
import { migrate } from '../store/migrate.ts'
import type { Store, Tables } from '../store/schema.ts'
import type { SearchTables } from './index/tables.ts'
import { createIndexing } from './indexing.ts'
import { createPageSearch } from './page-search.ts'
import { parseQuery } from './query/query.ts'
import { createModelProcess } from './sentence-model/model-process.ts'
import { dimensions } from './sentence-model/open-model.ts'
import { createSearchThread } from './thread/search-thread.ts'

const script = new URL('../bootstrap/search-thread.ts', import.meta.url)
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function scene(
  sentenceModel?: string,
  { log = silentLog, idleMs = 60_000, vectors: mode = 'on-demand' as 'on-demand' | 'always' } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-indexing-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  const store = sqliteDatabase<Tables>(join(folder, 'store.sqlite'))
  ends.push(() => store.close())
  await migrate(store)
  await addTeam(store, 'team')
  const open = ({ index = 'on' as 'on' | 'off', mayRebuild = true } = {}) => {
    const model =
      sentenceModel === undefined ? undefined : createModelProcess({ folder: sentenceModel }, silentLog)
    ends.push(() => model?.stop())
    const data = { path: join(folder, 'search.sqlite') }
    const thread = createSearchThread({ script, data, megabytes: 256, idleMs }, silentLog)
    const deps = { store, clock: systemClock, log, thread, index, model, vectors: mode }
    const indexing = createIndexing({ ...deps, retentionMs: 1e15, mayRebuild })
    ends.push(() => indexing.stop())
    const searchPages = createPageSearch({
      ...{ store, thread, index, model },
      onMissingVectors: () => store.notify('indexing', ''),
    })
    const find = (text: string, teamId = 'team') => {
      const { vector: _, ...wanted } = search(text).wanted
      return searchPages({ ...wanted, teamId }, { now: Date.now(), signal: new AbortController().signal })
    }
    return { thread, indexing, find }
  }
  /** Returns the number of documents with and without a vector. */
  async function vectors() {
    const index = sqliteDatabase<SearchTables>(join(folder, 'search.sqlite'))
    const rows = await index.query.selectFrom('search_documents').select('vector').execute()
    await index.close()
    return [
      rows.filter(({ vector }) => vector?.length === dimensions),
      rows.filter(({ vector }) => vector === null),
    ].map(({ length }) => length)
  }
  const hasIndexFile = () => existsSync(join(folder, 'search.sqlite'))
  return { store, ...open(), open, vectors, hasIndexFile }
}

async function addTeam(store: Store, id: string): Promise<void> {
  const teamDefaults = { balance: null, concurrency: null, zero_retention: 0, webhook_secret: null }
  await store.query
    .insertInto('teams')
    .values({ id, name: id, created_at: 0, ...teamDefaults })
    .execute()
}

const createPage = (url: string, text: string) => {
  const fields = {
    title: 'Page',
    headings: '',
    description: '',
    text,
    isNews: false,
    pictures: [],
    links: [],
  }
  const unknownFields = { language: undefined, publishedAt: undefined, modifiedAt: undefined }
  return {
    teamId: 'team',
    url,
    type: 'html',
    fetchedAt: 0,
    fields: packFields({ ...fields, ...unknownFields }),
  }
}

const search = (text: string) => ({
  kind: 'search' as const,
  wanted: {
    ...{ teamId: 'team', kind: 'page' as const, query: parseQuery(text), range: { isNewestFirst: false } },
    ...{ isNews: false, limit: 10, vector: null },
  },
  now: Date.now(),
})

describe('createIndexing', () => {
  it('indexes offered pages in the background', async () => {
    const { indexing, thread, store } = await scene()
    indexing.start()
    await indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
    await expect
      .poll(async () => (await thread.ask(search('tides'))).found.map(({ url }) => url), { timeout: 10_000 })
      .toEqual(['https://a.test/'])
    await indexing.settled()
    expect(await store.query.selectFrom('search_pending').selectAll().execute()).toEqual([])
  })

  it('indexes a page that is offered during the last step of other work', async () => {
    const { indexing, thread } = await scene()
    const ask = thread.ask
    thread.ask = (async (request, signal) => {
      if (request.kind === 'rebuild') {
        indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
        // Longer than the time for which pages are collected.
        await sleep(1000)
      }
      return ask(request, signal)
    }) as typeof ask
    indexing.start()
    await expect.poll(async () => (await ask(search('tides'))).found.length).toBe(1)
  })

  it('removes only the documents of the given team', async () => {
    const { indexing, thread, store, find } = await scene()
    await addTeam(store, 'other')
    await indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
    await indexing.enqueue({ ...createPage('https://b.test/', 'The tide turns at noon.'), teamId: 'other' })
    await indexing.settled()
    await indexing.removeTeam('team')
    expect((await thread.ask(search('tide'))).found).toEqual([])
    expect((await find('tide', 'other')).found).toHaveLength(1)
    await indexing.enqueue(createPage('https://c.test/', 'The tide turns again.'))
    await indexing.settled()
    expect((await thread.ask(search('tide'))).found.map(({ url }) => url)).toEqual(['https://c.test/'])
  })

  it('continues after its thread was stopped', async () => {
    const { indexing, thread } = await scene()
    await indexing.enqueue(createPage('https://a.test/', 'Before'))
    await indexing.settled()
    await thread.stop()
    await indexing.enqueue(createPage('https://b.test/', 'After'))
    await indexing.settled()
    expect((await thread.ask(search('before'))).found).toHaveLength(1)
    expect((await thread.ask(search('after'))).found).toHaveLength(1)
  })

  it('indexes pages that an earlier process has left', async () => {
    const { indexing, open } = await scene()
    await indexing.stop()
    await indexing.enqueue(createPage('https://a.test/', 'Left behind'))
    const next = open()
    next.indexing.start()
    await expect
      .poll(async () => (await next.thread.ask(search('left'))).found.length, { timeout: 10_000 })
      .toBe(1)
  })

  it('continues after a page that cannot be read', async () => {
    const { indexing, thread } = await scene()
    await indexing.enqueue({ ...createPage('https://x.test/', ''), fields: Buffer.from('no fields') })
    await indexing.enqueue(createPage('https://a.test/', 'Good page'))
    await indexing.settled()
    expect((await thread.ask(search('good'))).found).toHaveLength(1)
  })

  it('indexes the page of one team between those of another team with many', async () => {
    const { indexing, thread, store } = await scene()
    await addTeam(store, 'many')
    for (let page = 0; page < 1000; page += 1)
      indexing.enqueue({ ...createPage(`https://m.test/${page}`, 'One of many'), teamId: 'many' })
    indexing.enqueue(createPage('https://a.test/', 'The only one'))
    const settled = indexing.settled()
    await expect.poll(async () => (await thread.ask(search('only'))).found.length, { interval: 10 }).toBe(1)
    const waiting = store.query.selectFrom('search_pending').select('id').where('team_id', '=', 'many')
    expect((await waiting.execute()).length).toBeGreaterThan(0)
    await settled
    expect(await waiting.execute()).toEqual([])
  })

  it('aborts a search whose caller has left', async () => {
    const { thread } = await scene()
    const abortedSignal = AbortSignal.abort(new Error('gone'))
    await expect(thread.ask(search('tide'), abortedSignal)).rejects.toThrow('gone')
    const controller = new AbortController()
    const pendingSearch = thread.ask(search('tide'), controller.signal)
    controller.abort(new Error('left'))
    await expect(pendingSearch).rejects.toThrow('left')
    await sleep(1)
  })

  it('keeps its thread while requests of other callers run, after some have aborted', async () => {
    const idleMs = 200
    const { thread } = await scene(undefined, { idleMs })
    await thread.ask(search('tide'))
    const controller = new AbortController()
    const abortedSearches = Array.from({ length: 3 }, () => thread.ask(search('tide'), controller.signal))
    controller.abort(new Error('left'))
    for (const one of abortedSearches) await expect(one).rejects.toThrow('left')
    // A timer of the aborted requests would end the thread during these.
    const deadline = performance.now() + 3 * idleMs
    while (performance.now() < deadline)
      expect(await Promise.all([thread.ask(search('tide')), thread.ask(search('moon'))])).toHaveLength(2)
  })

  it.skipIf(sentenceModelFolder === undefined)('settles after the vectors are computed', async () => {
    const { indexing, thread, vectors, find } = await scene(sentenceModelFolder, { vectors: 'always' })
    for (let page = 0; page < 6; page += 1)
      await indexing.enqueue(createPage(`https://a.test/${page}`, `Low water on day ${page}.`))
    const settled = indexing.settled()
    // Searches are handled meanwhile.
    await expect
      .poll(async () => (await thread.ask(search('water'))).found.length, { timeout: 10_000 })
      .toBe(6)
    await settled
    expect(await vectors()).toEqual([6, 0])
    await thread.stop()
    expect((await find('ebb water')).found).toHaveLength(6)
  })

  it.skipIf(sentenceModelFolder === undefined)('computes no vector before a team searches', async () => {
    const { indexing, vectors, find } = await scene(sentenceModelFolder)
    indexing.start()
    for (let page = 0; page < 3; page += 1)
      indexing.enqueue(createPage(`https://a.test/${page}`, `Low water on day ${page}.`))
    await indexing.settled()
    expect(await vectors()).toEqual([0, 3])
    await find('water')
    await expect.poll(vectors, { timeout: 20_000 }).toEqual([3, 0])
    expect((await find('water')).withoutVector).toBe(0)
  })

  it('continues without a model that cannot run, and warns once', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) }
    const { indexing, vectors, find } = await scene('/nowhere', { log, vectors: 'always' })
    for (const url of ['https://a.test/', 'https://b.test/']) {
      await indexing.enqueue(createPage(url, 'Low water'))
      await indexing.settled()
    }
    const { found, lacksMeaning } = await find('water')
    expect([found.length, lacksMeaning]).toEqual([2, true])
    expect(await vectors()).toEqual([0, 2])
    expect(warnings).toEqual(['the sentence model does not run here: search ranks by words alone'])
  })
})

const pending = ({ store }: Pick<Awaited<ReturnType<typeof scene>>, 'store'>) =>
  store.query.selectFrom('search_pending').select(['team_id', 'url', 'type']).execute()

describe('a team without a search index', () => {
  const exclusion = expect.stringContaining('switched off the search index of this team')

  it('loses its indexed pages and gets no new ones', async () => {
    const setup = await scene()
    const { indexing, store, find, thread } = setup
    const change = (search_index: number) => changeAccount(store, 'team', { search_index, now: Date.now() })
    indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
    await indexing.settled()
    expect((await find('tide')).found).toHaveLength(1)

    await change(0)
    expect(await find('tide')).toMatchObject({ found: [], documents: 0, exclusion })
    await indexing.settled()
    expect((await thread.ask(search('tide'))).documents).toBe(0)
    expect(await pending(setup)).toEqual([])
    indexing.enqueue(createPage('https://b.test/', 'The tide turns at dusk.'))
    await indexing.stop()
    expect(await pending(setup)).toEqual([])

    await change(1)
    const next = setup.open()
    expect(await next.find('tide')).toEqual(expect.not.objectContaining({ exclusion: expect.anything() }))
    next.indexing.enqueue(createPage('https://c.test/', 'The tide turns at dawn.'))
    await next.indexing.settled()
    expect((await next.find('tide')).found.map(({ url }) => url)).toEqual(['https://c.test/'])
  })

  it('loses pages that were indexed after its exclusion', async () => {
    const setup = await scene()
    const { indexing, store, thread } = setup
    indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
    await indexing.stop()
    expect(await pending(setup)).toHaveLength(1)
    // Simulates a removal by another process before the page was indexed.
    await store.query.updateTable('teams').set({ search_index: 0 }).execute()
    await setup.open().indexing.settled()
    expect((await thread.ask(search('tide'))).documents).toBe(0)
    expect(await pending(setup)).toEqual([])
  })

  it('loses only pages from before its removal if it is included again immediately', async () => {
    const setup = await scene()
    const { indexing, store, find } = setup
    indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
    await indexing.settled()
    indexing.enqueue(createPage('https://b.test/', 'The tide turns at dusk.'))
    await indexing.stop()
    for (const search_index of [0, 1]) await changeAccount(store, 'team', { search_index, now: Date.now() })
    const next = setup.open()
    next.indexing.enqueue(createPage('https://c.test/', 'The tide turns at dawn.'))
    await next.indexing.settled()
    expect((await find('tide')).found.map(({ url }) => url)).toEqual(['https://c.test/'])
  })

  it('is removed on a retry if the index cannot be changed, and delays no other team', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) }
    const setup = await scene(undefined, { log })
    const { indexing, store, thread } = setup
    await addTeam(store, 'other')
    await changeAccount(store, 'team', { search_index: 0, now: Date.now() })
    const ask = thread.ask
    thread.ask = (request, signal) =>
      request.kind === 'removeTeam' ? Promise.reject(new Error('The disk is full.')) : ask(request, signal)
    indexing.enqueue({ ...createPage('https://b.test/', 'The tide turns at noon.'), teamId: 'other' })
    await indexing.settled()
    expect(warnings).toEqual(['a team could not be removed from the search index; it is tried again'])
    expect(await pending(setup)).toEqual([{ team_id: 'team', url: '', type: 'removal' }])
    thread.ask = ask
    await store.query.updateTable('search_pending').set({ claimed_until: 0, attempts: 9 }).execute()
    await indexing.settled()
    expect(await pending(setup)).toEqual([])
  })
})

describe('SEARCH_INDEX=off', () => {
  const exclusion = expect.stringContaining('SEARCH_INDEX=off')

  it('stores and indexes no page, and starts no thread', async () => {
    const { open, store, hasIndexFile } = await scene()
    const ended = open({ index: 'off', mayRebuild: false })
    ended.indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
    await ended.indexing.stop()
    expect(await pending({ store })).toEqual([])
    const off = open({ index: 'off', mayRebuild: false })
    off.indexing.start()
    await changeAccount(store, 'team', { search_index: 0, now: Date.now() })
    await off.indexing.settled()
    expect(await off.find('tide')).toMatchObject({ found: [], documents: 0, exclusion })
    await off.indexing.removeTeam('team')
    expect(await pending({ store })).toEqual([])
    expect(hasIndexFile()).toBe(false)
  })

  it('keeps indexed pages, drops pending ones, and removes a team', async () => {
    const { indexing, open, store, find } = await scene()
    indexing.enqueue(createPage('https://a.test/', 'The tide turns at noon.'))
    await indexing.settled()
    indexing.enqueue(createPage('https://b.test/', 'The tide turns at dusk.'))
    await indexing.stop()
    const off = open({ index: 'off' })
    await off.indexing.settled()
    expect(await pending({ store })).toEqual([])
    expect((await find('tide')).found.map(({ url }) => url)).toEqual(['https://a.test/'])
    await changeAccount(store, 'team', { search_index: 0, now: Date.now() })
    await off.indexing.settled()
    expect((await off.thread.ask(search('tide'))).documents).toBe(0)
  })
})
