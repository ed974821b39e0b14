import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { sentenceModelFolder } from '../../test/sentence-model.ts'
import { sqliteDatabase } from '../adapters/database/sqlite.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { packFields } from '../page-data/search/pack-fields.ts'
import { migrate } from '../store/migrate.ts'
import type { Tables } from '../store/schema.ts'
import type { SearchTables } from './index/tables.ts'
import { createIndexing } from './indexing.ts'
import { parseQuery } from './query/parse-query.ts'
import { createModelProcess } from './sentence-model/model-process.ts'
import { dimensions } from './sentence-model/vector.ts'
import { searchThread } from './thread/search-thread.ts'

const script = new URL('../compose/search-thread.ts', import.meta.url)
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function scene(sentenceModel?: string, { log = silentLog, idleMs = 60_000 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-indexing-'))
  ends.push(() => rmSync(folder, { recursive: true }))
  const store = sqliteDatabase<Tables>(join(folder, 'store.sqlite'))
  ends.push(() => store.close())
  await migrate(store)
  const team = { name: 't', balance: null, concurrency: null, zero_retention: 0, webhook_secret: null }
  await store.query
    .insertInto('teams')
    .values({ id: 'team', created_at: 0, ...team })
    .execute()
  const open = () => {
    const model =
      sentenceModel === undefined ? undefined : createModelProcess({ folder: sentenceModel }, silentLog)
    ends.push(() => model?.stop())
    const data = { path: join(folder, 'search.sqlite'), hasModel: model !== undefined }
    const thread = searchThread({ script, data, megabytes: 256, idleMs, model }, silentLog)
    const indexing = createIndexing({ store, clock: systemClock, log, thread, keptMs: 1e15 })
    ends.push(() => indexing.stop())
    return { thread, indexing }
  }
  /** Of how many documents the vector is there, and of how many it is not. */
  async function vectors() {
    const index = sqliteDatabase<SearchTables>(join(folder, 'search.sqlite'))
    const rows = await index.query.selectFrom('search_documents').select('vector').execute()
    await index.close()
    return [
      rows.filter(({ vector }) => vector?.length === dimensions),
      rows.filter(({ vector }) => vector === null),
    ].map(({ length }) => length)
  }
  return { store, ...open(), open, vectors }
}

const pageOf = (url: string, text: string) => {
  const fields = {
    title: 'Page',
    headings: '',
    description: '',
    text,
    isNews: false,
    pictures: [],
    links: [],
  }
  const unknown = { language: undefined, publishedAt: undefined, modifiedAt: undefined }
  return { teamId: 'team', url, type: 'html', fetchedAt: 0, fields: packFields({ ...fields, ...unknown }) }
}

const search = (text: string) => ({
  kind: 'search' as const,
  wanted: {
    ...{ teamId: 'team', kind: 'page' as const, query: parseQuery(text), range: { isNewestFirst: false } },
    ...{ isNews: false, most: 10 },
  },
})

describe('indexing', () => {
  it('makes pages that were noted findable, by itself', async () => {
    const { indexing, thread, store } = await scene()
    indexing.start()
    await indexing.offer(pageOf('https://a.test/', 'The tide turns at noon.'))
    await expect
      .poll(async () => (await thread.ask(search('tides'))).found.map(({ url }) => url), { timeout: 10_000 })
      .toEqual(['https://a.test/'])
    await indexing.settled()
    expect(await store.query.selectFrom('search_pending').selectAll().execute()).toEqual([])
  })

  it('forgets a team, and no other', async () => {
    const { indexing, thread, store } = await scene()
    const team = { name: 'o', balance: null, concurrency: null, zero_retention: 0, webhook_secret: null }
    await store.query
      .insertInto('teams')
      .values({ id: 'other', created_at: 0, ...team })
      .execute()
    await indexing.offer(pageOf('https://a.test/', 'The tide turns at noon.'))
    await indexing.offer({ ...pageOf('https://b.test/', 'The tide turns at noon.'), teamId: 'other' })
    await indexing.settled()
    await indexing.forget('team')
    expect((await thread.ask(search('tide'))).found).toEqual([])
    const { kind, wanted } = search('tide')
    expect((await thread.ask({ kind, wanted: { ...wanted, teamId: 'other' } })).found).toHaveLength(1)
    await indexing.offer(pageOf('https://c.test/', 'The tide turns again.'))
    await indexing.settled()
    expect((await thread.ask(search('tide'))).found.map(({ url }) => url)).toEqual(['https://c.test/'])
  })

  it('goes on after its thread was killed', async () => {
    const { indexing, thread } = await scene()
    await indexing.offer(pageOf('https://a.test/', 'Before'))
    await indexing.settled()
    await thread.stop()
    await indexing.offer(pageOf('https://b.test/', 'After'))
    await indexing.settled()
    expect((await thread.ask(search('before'))).found).toHaveLength(1)
    expect((await thread.ask(search('after'))).found).toHaveLength(1)
  })

  it('takes up what an earlier process left', async () => {
    const { indexing, open } = await scene()
    await indexing.stop()
    await indexing.offer(pageOf('https://a.test/', 'Left behind'))
    const next = open()
    next.indexing.start()
    await expect
      .poll(async () => (await next.thread.ask(search('left'))).found.length, { timeout: 10_000 })
      .toBe(1)
  })

  it('is not held up by a page that cannot be read', async () => {
    const { indexing, thread } = await scene()
    await indexing.offer({ ...pageOf('https://x.test/', ''), fields: Buffer.from('no fields') })
    await indexing.offer(pageOf('https://a.test/', 'Good page'))
    await indexing.settled()
    expect((await thread.ask(search('good'))).found).toHaveLength(1)
  })

  it('indexes the page of one team between those of another with many', async () => {
    const { indexing, thread, store } = await scene()
    const many = { name: 'm', balance: null, concurrency: null, zero_retention: 0, webhook_secret: null }
    await store.query
      .insertInto('teams')
      .values({ id: 'many', created_at: 0, ...many })
      .execute()
    for (let page = 0; page < 1000; page += 1)
      indexing.offer({ ...pageOf(`https://m.test/${page}`, 'One of many'), teamId: 'many' })
    indexing.offer(pageOf('https://a.test/', 'The only one'))
    const settled = indexing.settled()
    await expect.poll(async () => (await thread.ask(search('only'))).found.length, { interval: 10 }).toBe(1)
    const waiting = store.query.selectFrom('search_pending').select('id').where('team_id', '=', 'many')
    expect((await waiting.execute()).length).toBeGreaterThan(0)
    await settled
    expect(await waiting.execute()).toEqual([])
  })

  it('leaves a search that nobody waits for', async () => {
    const { thread } = await scene()
    const gone = AbortSignal.abort(new Error('gone'))
    await expect(thread.ask(search('tide'), gone)).rejects.toThrow('gone')
    const leaving = new AbortController()
    const asked = thread.ask(search('tide'), leaving.signal)
    leaving.abort(new Error('left'))
    await expect(asked).rejects.toThrow('left')
    await sleep(1)
  })

  it('keeps its thread while orders of other callers run, after some have left', async () => {
    const idleMs = 200
    const { thread } = await scene(undefined, { idleMs })
    await thread.ask(search('tide'))
    const leaving = new AbortController()
    const left = Array.from({ length: 3 }, () => thread.ask(search('tide'), leaving.signal))
    leaving.abort(new Error('left'))
    for (const one of left) await expect(one).rejects.toThrow('left')
    // A timer of those that have left would end the thread during these.
    const until = performance.now() + 3 * idleMs
    while (performance.now() < until)
      expect(await Promise.all([thread.ask(search('tide')), thread.ask(search('moon'))])).toHaveLength(2)
  })

  it.skipIf(sentenceModelFolder === undefined)('is settled when the vectors are made, too', async () => {
    const { indexing, thread, vectors } = await scene(sentenceModelFolder)
    for (let page = 0; page < 6; page += 1)
      await indexing.offer(pageOf(`https://a.test/${page}`, `Low water on day ${page}.`))
    const settled = indexing.settled()
    // Searches are answered meanwhile.
    await expect
      .poll(async () => (await thread.ask(search('water'))).found.length, { timeout: 10_000 })
      .toBe(6)
    await settled
    expect(await vectors()).toEqual([6, 0])
    await thread.stop()
    expect((await thread.ask(search('ebb water'))).found).toHaveLength(6)
  })

  it('goes on without a model that does not run, and says so once', async () => {
    const warnings: string[] = []
    const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) }
    const { indexing, thread, vectors } = await scene('/nowhere', { log })
    for (const url of ['https://a.test/', 'https://b.test/']) {
      await indexing.offer(pageOf(url, 'Low water'))
      await indexing.settled()
    }
    const answer = await thread.ask(search('water'))
    expect([answer.found.length, answer.lacksMeaning]).toEqual([2, true])
    expect(await vectors()).toEqual([0, 2])
    expect(warnings).toEqual(['the sentence model does not run here: search ranks by words alone'])
  })
})
