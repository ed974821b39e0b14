import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { analyse } from '../../extraction/text/analyse.ts'
import { loadLanguage } from '../../extraction/text/languages.ts'
import { silentLog } from '../../platform/log.ts'
import { postgresDatabase } from '../../store/database/postgres.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { parseQuery } from '../query/query.ts'
import { reverseHost } from './document-filter.ts'
import {
  addDocuments,
  findIndex,
  type IndexedDocument,
  openIndex,
  packBody,
  readDocuments,
  removeExpired,
  removePages,
  removeTeam,
  type SearchIndex,
} from './documents.ts'
import { migrateIndex } from './migrate.ts'
import { rebuildStep } from './rebuild.ts'
import { type IndexSearch, searchIndex } from './search-index.ts'
import type { IndexKind, SearchStore } from './tables.ts'

const english = await loadLanguage('en')
const hour = 3_600_000

interface Draft {
  url: string
  title?: string
  text?: string
  publishedAt?: number
  expiresAt?: number
  links?: string[]
  image?: { width: number; height: number }
}

function createDocument({
  url,
  title = '',
  text = '',
  publishedAt,
  expiresAt,
  links = [],
  image,
}: Draft): IndexedDocument {
  const parsedUrl = new URL(url)
  return {
    row: {
      ...{ document_key: url, page_key: url, url, site: reverseHost(parsedUrl.hostname) },
      ...{ type: parsedUrl.pathname.endsWith('.pdf') ? 'pdf' : 'html', title, language: 'en' },
      ...{ published_at: publishedAt ?? null, fetched_at: 0, expires_at: expiresAt ?? 10 * hour, news: 0 },
      ...{ hash: title + text, fingerprint: '' },
      ...{ image_url: null, image_width: image?.width ?? null, image_height: image?.height ?? null },
      ...{ body: packBody(text), vector: null, vector_due: null },
    },
    terms: { title: analyse(title, english), headings: [], address: [], body: analyse(text, english) },
    links,
  }
}

function indexContract(open: () => SearchIndex): void {
  let team = 0
  const createTeamScene = () => {
    team += 1
    const teamId = `team-${team}`
    const of = (kind: IndexKind = 'page') => ({ teamId, kind })
    return {
      of,
      add: (...drafts: Draft[]) => addDocuments(open(), of(), drafts.map(createDocument)),
      async find(text: string, changes: Partial<IndexSearch> = {}) {
        const query = parseQuery(text)
        const range = { isNewestFirst: false }
        const indexSearch = { ...of(), query, range, isNews: false, limit: 10, vector: null, ...changes }
        return (await searchIndex(open(), indexSearch)).found.map(({ url }) => url)
      },
      count: async () => (await findIndex(open().store.query, of()))?.documents,
    }
  }
  const [a, b, c] = ['https://example.com/a', 'https://docs.example.com/b.pdf', 'https://example.org/c']

  it('finds documents by their words, best first', async () => {
    const { add, find } = createTeamScene()
    await add(
      { url: a, text: 'Tides of the harbour' },
      { url: b, title: 'Harbour' },
      { url: c, text: 'Boats' },
    )
    expect(await find('harbours')).toEqual([b, a])
    expect(await find('boat tide')).toEqual([c, a])
    expect(await find('aeroplane')).toEqual([])
  })

  it('separates teams and kinds', async () => {
    const [one, other] = [createTeamScene(), createTeamScene()]
    await one.add({ url: a, text: 'harbour' })
    await addDocuments(open(), one.of('image'), [createDocument({ url: c, text: 'harbour' })])
    expect(await other.find('harbour')).toEqual([])
    expect(await one.find('harbour')).toEqual([a])
  })

  it('replaces a changed document, and keeps an unchanged one', async () => {
    const { add, find, count } = createTeamScene()
    expect(await add({ url: a, text: 'harbour' })).toBe(1)
    expect(await add({ url: a, text: 'harbour' })).toBe(0)
    expect(await add({ url: a, text: 'airport' })).toBe(1)
    expect(await find('harbour')).toEqual([])
    expect(await find('airport')).toEqual([a])
    expect(await count()).toBe(1)
  })

  it('stores the last of two documents with one URL in the same call', async () => {
    const { add, find } = createTeamScene()
    await add({ url: a, text: 'harbour' }, { url: a, text: 'airport' })
    expect(await find('harbour')).toEqual([])
    expect(await find('airport')).toEqual([a])
  })

  it('filters by site, type, date and size', async () => {
    const { add, find } = createTeamScene()
    await add(
      { url: a, text: 'tide', publishedAt: 1000, image: { width: 800, height: 600 } },
      { url: b, text: 'tide', publishedAt: 2000, image: { width: 1920, height: 1080 } },
      { url: c, text: 'tide' },
      { url: 'https://example-com.net/', text: 'tide' },
    )
    expect(await find('tide site:example.com')).toEqual([a, b])
    expect(await find('tide site:docs.example.com OR site:example.org')).toEqual([b, c])
    expect(await find('tide -site:example.com -site:example-com.net')).toEqual([c])
    expect(await find('tide filetype:pdf')).toEqual([b])
    expect(await find('tide', { range: { from: 1500, isNewestFirst: false } })).toEqual([b])
    expect(await find('tide', { range: { to: 1500, isNewestFirst: false } })).toEqual([a])
    expect(await find('site:example.com')).toEqual([b, a])
  })

  it('removes expired documents', async () => {
    const { add, find, count } = createTeamScene()
    await add({ url: a, text: 'tide', expiresAt: hour }, { url: b, text: 'tide', expiresAt: 3 * hour })
    expect(await removeExpired(open(), 2 * hour)).toBe(1)
    expect(await find('tide')).toEqual([b])
    expect(await count()).toBe(1)
    expect(await removeExpired(open(), 4 * hour)).toBe(1)
    expect(await find('tide')).toEqual([])
    await add({ url: c, text: 'tide' })
    expect(await find('tide')).toEqual([c])
  })

  it('removes pages and teams', async () => {
    const [one, other] = [createTeamScene(), createTeamScene()]
    for (const { add } of [one, other]) await add({ url: a, text: 'tide' }, { url: b, text: 'tide' })
    await removePages(open(), one.of().teamId, [a])
    expect(await one.find('tide')).toEqual([b])
    await removeTeam(open(), one.of().teamId)
    expect(await one.find('tide')).toEqual([])
    expect(await other.find('tide')).toEqual([a, b])
    await one.add({ url: c, text: 'tide' })
    expect(await one.find('tide')).toEqual([c])
  })

  it('requires the words of a phrase in their order', async () => {
    const { add, find } = createTeamScene()
    await add({ url: a, text: 'the tides turn at noon' }, { url: b, text: 'at noon the tides turn' })
    expect(await find('"turn at noon"')).toEqual([a])
    expect(await find('"tide turn at noon"')).toEqual([])
    expect(await find('tides noon -"turn at noon"')).toEqual([b])
  })

  it('treats every character of a query as text', { timeout: 60_000 }, async () => {
    const { add, find } = createTeamScene()
    await add({ url: a, text: 'harbour c++ c# naïve' })
    const syntax = [
      ...`'"\\\0\n*^:;(){}[]<>|&!-+~@#$%=,./?\`_ aé東ก`,
      ...['AND', 'OR', 'NOT', 'NEAR(', ':*', '<->', 'title:'],
      // The analyser removes a combining mark without a base character.
      ...['\u0301', ' \u0301\u0300 ', ' \u064b '],
    ]
    for (const [position, part] of syntax.entries()) {
      const others = syntax.filter((_, other) => (other * 7 + position) % 11 === 0)
      for (const text of [
        part,
        `"${part}`,
        `${part}"`,
        `harbour${part}`,
        `${part}harbour ${part}`,
        [part, ...others].join(''),
      ])
        expect(await find(`harbour ${text}`)).toEqual(expect.any(Array))
      expect(await find(`harbour ${part} `.replaceAll(/["-]/g, ' '))).toEqual([a])
    }
    for (const word of ['c++', 'c#', 'naive']) expect(await find(word)).toEqual([a])
  })

  it('indexes documents without terms again', async () => {
    const { add, find } = createTeamScene()
    await add({ url: a, title: 'Harbour', text: 'tide' }, { url: b, text: 'moon' })
    const { query } = open().store
    const all = await query
      .selectFrom('search_documents')
      .select(['index_id', 'number', 'terms', 'url'])
      .where('url', '=', a)
      .execute()
    for (const { index_id, number, terms } of all) {
      if (terms !== null) await open().words.remove(query, index_id, [number])
      await query
        .updateTable('search_documents')
        .set({ terms: null })
        .where('index_id', '=', index_id)
        .where('number', '=', number)
        .execute()
    }
    expect(await find('harbour tide')).toEqual([])
    for (let step = 0; step < 100; step += 1) if ((await rebuildStep(open())).isDone) break
    expect(await find('harbour tide')).toEqual([a])
    expect(await find('moon')).toEqual([b])
  })

  it('counts the pages that link to a page', async () => {
    const { add, of } = createTeamScene()
    await add(
      { url: a, text: 'tide', links: [b, b, a] },
      { url: c, text: 'tide', links: [b] },
      { url: b, text: 'x' },
    )
    const { query } = open().store
    const index = await findIndex(query, of())
    const rows = await readDocuments(query, index?.id ?? '', [0, 1, 2])
    const row = [...rows.values()].find(({ url }) => url === b)
    expect(row?.inbound).toBe(2)
  })

  it('accepts documents from several concurrent writers', async () => {
    const { of, find, count } = createTeamScene()
    const drafts = Array.from({ length: 12 }, (_, index) => ({
      url: `${a}/${index}`,
      text: `tide t${index}`,
    }))
    await Promise.all(drafts.map((draft) => addDocuments(open(), of(), [createDocument(draft)])))
    expect(await count()).toBe(12)
    for (const { url, text } of drafts) expect(await find(text.slice(5))).toEqual([url])
  })
}

const openIndexes = new Map<SearchStore, SearchIndex>()

function getIndex(store: SearchStore): SearchIndex {
  const index = openIndexes.get(store) ?? openIndex(store)
  openIndexes.set(store, index)
  return index
}

describe('the search index on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-search-'))
  let store: SearchStore
  beforeAll(async () => {
    store = sqliteDatabase(join(folder, 'search.sqlite'))
    await migrateIndex(store)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  indexContract(() => getIndex(store))
})

describe('the search index on PostgreSQL', () => {
  let server: PostgresServer
  let store: SearchStore
  beforeAll(async () => {
    server = await startPostgres()
    store = postgresDatabase(await server.createDatabase(), silentLog)
    await migrateIndex(store)
  })
  afterAll(async () => {
    await store.close()
    await server.stop()
  })
  indexContract(() => getIndex(store))
})
