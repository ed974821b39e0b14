import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { sqliteDatabase } from '../adapters/database/sqlite.ts'
import { systemClock } from '../base/clock.ts'
import { silentLog } from '../base/log.ts'
import { packFields } from '../page-data/search/pack-fields.ts'
import { migrate } from '../store/migrate.ts'
import type { Tables } from '../store/schema.ts'
import { createIndexing } from './indexing.ts'
import { parseQuery } from './query/parse-query.ts'
import { searchThread } from './thread/search-thread.ts'

const script = new URL('../compose/search-thread.ts', import.meta.url)
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function scene() {
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
    const data = { path: join(folder, 'search.sqlite') }
    const thread = searchThread({ script, data, megabytes: 256, idleMs: 60_000 }, silentLog)
    const indexing = createIndexing({ store, clock: systemClock, log: silentLog, thread, keptMs: 1e15 })
    ends.push(() => indexing.stop())
    return { thread, indexing }
  }
  return { store, ...open(), open }
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
})
