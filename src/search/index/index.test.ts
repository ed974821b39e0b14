import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { postgresDatabase } from '../../adapters/database/postgres.ts'
import { sqliteDatabase } from '../../adapters/database/sqlite.ts'
import { silentLog } from '../../base/log.ts'
import { analyse, analyseQuery } from '../../reading/text/analyse.ts'
import { loadLanguage } from '../../reading/text/languages.ts'
import { addDocuments, type IndexedDocument } from './add-documents.ts'
import { compactBlocks } from './compact-blocks.ts'
import { type DocumentFilter, findDocuments, findIndex, readDocuments, turnHost } from './find-documents.ts'
import { migrateIndex } from './migrate.ts'
import { removeExpired } from './remove-documents.ts'
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

function documentOf({
  url,
  title = '',
  text = '',
  publishedAt,
  expiresAt,
  links = [],
  image,
}: Draft): IndexedDocument {
  const address = new URL(url)
  return {
    row: {
      ...{ document_key: url, page_key: url, url, site: turnHost(address.hostname) },
      ...{ type: address.pathname.endsWith('.pdf') ? 'pdf' : 'html', title, language: 'en' },
      ...{ published_at: publishedAt ?? null, fetched_at: 0, expires_at: expiresAt ?? 10 * hour, news: 0 },
      ...{ hash: title + text, fingerprint: '' },
      ...{ image_url: null, image_width: image?.width ?? null, image_height: image?.height ?? null },
      ...{ body: Buffer.from(text), vector: null, vector_due: null },
    },
    terms: { title: analyse(title, english), headings: [], address: [], body: analyse(text, english) },
    links,
  }
}

function indexContract(open: () => SearchStore): void {
  let team = 0
  const fresh = () => {
    team += 1
    const teamId = `team-${team}`
    const of = (kind: IndexKind = 'page') => ({ teamId, kind })
    return {
      of,
      add: (...drafts: Draft[]) => addDocuments(open(), of(), drafts.map(documentOf)),
      async find(text: string, filter: DocumentFilter = {}) {
        const words = await analyseQuery(text, ['en'])
        const index = await findIndex(open(), of())
        if (!index) return []
        const ranked = await findDocuments(open(), { index, words, filter, most: 10 })
        const rows = await readDocuments(
          open(),
          index.id,
          ranked.map(({ number }) => number),
        )
        return ranked.map(({ number }) => rows.get(number)?.url)
      },
    }
  }
  const [a, b, c] = ['https://example.com/a', 'https://docs.example.com/b.pdf', 'https://example.org/c']

  it('finds documents by their words, the best first', async () => {
    const { add, find } = fresh()
    await add(
      { url: a, text: 'Tides of the harbour' },
      { url: b, title: 'Harbour' },
      { url: c, text: 'Boats' },
    )
    expect(await find('harbours')).toEqual([b, a])
    expect(await find('boat tide')).toEqual([c, a])
    expect(await find('aeroplane')).toEqual([])
  })

  it('keeps teams and kinds apart', async () => {
    const [one, other] = [fresh(), fresh()]
    await one.add({ url: a, text: 'harbour' })
    await addDocuments(open(), one.of('image'), [documentOf({ url: c, text: 'harbour' })])
    expect(await other.find('harbour')).toEqual([])
    expect(await one.find('harbour')).toEqual([a])
  })

  it('replaces a document that has changed, and leaves one that has not', async () => {
    const { add, find, of } = fresh()
    expect(await add({ url: a, text: 'harbour' })).toBe(1)
    expect(await add({ url: a, text: 'harbour' })).toBe(0)
    expect(await add({ url: a, text: 'airport' })).toBe(1)
    expect(await find('harbour')).toEqual([])
    expect(await find('airport')).toEqual([a])
    expect((await findIndex(open(), of()))?.documents).toBe(1)
  })

  it('takes the last of two that come at once', async () => {
    const { add, find } = fresh()
    await add({ url: a, text: 'harbour' }, { url: a, text: 'airport' })
    expect(await find('harbour')).toEqual([])
    expect(await find('airport')).toEqual([a])
  })

  it('filters by site, type, date and size', async () => {
    const { add, find } = fresh()
    await add(
      { url: a, text: 'tide', publishedAt: 1000, image: { width: 800, height: 600 } },
      { url: b, text: 'tide', publishedAt: 2000, image: { width: 1920, height: 1080 } },
      { url: c, text: 'tide' },
      { url: 'https://example-com.net/', text: 'tide' },
    )
    expect(await find('tide', { sites: ['example.com'] })).toEqual([a, b])
    expect(await find('tide', { sites: ['docs.example.com', 'example.org'] })).toEqual([b, c])
    expect(await find('tide', { sites: ['com'] })).toEqual([a, b])
    expect(await find('tide', { excludedSites: ['example.com', 'net'] })).toEqual([c])
    expect(await find('tide', { types: ['pdf'] })).toEqual([b])
    expect(await find('tide', { from: 1500 })).toEqual([b])
    expect(await find('tide', { to: 1500 })).toEqual([a])
    expect(await find('tide', { larger: { width: 1000, height: 700 } })).toEqual([b])
    expect(await find('tide', { imageSize: { width: 800, height: 600 } })).toEqual([a])
    expect(await find('', { sites: ['example.com'] })).toEqual([b, a])
  })

  it('removes what has expired', async () => {
    const { add, find, of } = fresh()
    await add({ url: a, text: 'tide', expiresAt: hour }, { url: b, text: 'tide', expiresAt: 3 * hour })
    expect(await removeExpired(open(), 2 * hour)).toBe(1)
    expect(await find('tide')).toEqual([b])
    expect((await findIndex(open(), of()))?.documents).toBe(1)
    expect(await removeExpired(open(), 4 * hour)).toBe(1)
    expect(await find('tide')).toEqual([])
    await add({ url: c, text: 'tide' })
    expect(await find('tide')).toEqual([c])
  })

  it('drops the postings of documents that are gone once they are half of a block', async () => {
    const { add, find, of } = fresh()
    await add(
      { url: a, text: 'tide harbour' },
      { url: b, text: 'tide moon', expiresAt: hour },
      { url: c, text: 'tide harbour boats', expiresAt: hour },
    )
    const terms = async () => {
      const index = await findIndex(open(), of())
      const rows = await open()
        .query.selectFrom('search_postings')
        .select(['term', 'postings'])
        .where('index_id', '=', index?.id ?? '')
        .orderBy('term')
        .execute()
      return rows.map(({ term, postings }) => `${term} ${postings.length / 4}`)
    }
    await compactBlocks(open())
    expect(await terms()).toEqual(['boat 1', 'harbour 2', 'moon 1', 'tide 3'])
    await removeExpired(open(), 2 * hour)
    expect(await compactBlocks(open())).toBe(1)
    expect(await terms()).toEqual(['harbour 1', 'tide 1'])
    expect(await compactBlocks(open())).toBe(0)
    expect(await find('tide')).toEqual([a])
    await add({ url: b, text: 'tide moon' })
    expect((await find('moon tide')).toSorted()).toEqual([b, a].toSorted())
  })

  it('counts the pages that link to one', async () => {
    const { add, of } = fresh()
    await add(
      { url: a, text: 'tide', links: [b, b, a] },
      { url: c, text: 'tide', links: [b] },
      { url: b, text: 'x' },
    )
    const words = await analyseQuery('x', ['en'])
    const index = await findIndex(open(), of())
    if (!index) throw new Error('nothing was indexed')
    const ranked = await findDocuments(open(), { index, words, filter: {}, most: 1 })
    const [row] = (
      await readDocuments(
        open(),
        index.id,
        ranked.map(({ number }) => number),
      )
    ).values()
    expect(row?.inbound).toBe(2)
  })

  it('takes documents from several writers at once', async () => {
    const { of, find } = fresh()
    const drafts = Array.from({ length: 12 }, (_, index) => ({
      url: `${a}/${index}`,
      text: `tide t${index}`,
    }))
    await Promise.all(drafts.map((draft) => addDocuments(open(), of(), [documentOf(draft)])))
    expect((await findIndex(open(), of()))?.documents).toBe(12)
    for (const { url, text } of drafts) expect(await find(text.slice(5))).toEqual([url])
  })
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
  indexContract(() => store)
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
  indexContract(() => store)
})
