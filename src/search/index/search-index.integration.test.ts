import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { parseQuery } from '../query/query.ts'
import { addDocuments, openIndex, type SearchIndex } from './documents.ts'
import { migrateIndex } from './migrate.ts'
import { documentsOfPage } from './page-documents.ts'
import { type IndexSearch, searchIndex } from './search-index.ts'
import type { SearchStore } from './tables.ts'

const folder = mkdtempSync(join(tmpdir(), 'winnow-search-'))
let store: SearchStore
let index: SearchIndex

interface Draft {
  url: string
  title: string
  text: string
  language?: string
  publishedAt?: number
  isNews?: boolean
  links?: string[]
  pictures?: { url: string; text: string; width: number | undefined; height: number | undefined }[]
  type?: string
}

const long = (words: string) => Array.from({ length: 30 }, (_, index) => `${words} part${index}`).join(' ')

const pages: Draft[] = [
  {
    url: 'https://harbour.test/tides',
    title: 'Tides and currents',
    text: 'The tide turns at noon. Moorings fall dry for two hours.',
    publishedAt: Date.UTC(2024, 0, 10),
    pictures: [
      { url: 'https://harbour.test/ebb.jpg', text: 'Harbour at ebb tide', width: 1920, height: 1080 },
      { url: 'https://harbour.test/small.jpg', text: 'Harbour from above', width: 400, height: 300 },
    ],
  },
  {
    url: 'https://harbour.test/fees.pdf',
    title: 'Harbour fees',
    text: 'Fees are paid at the office. Moorings cost ten euros a night.',
    type: 'pdf',
  },
  {
    url: 'https://news.test/storm',
    title: 'Storm closes the harbour',
    text: 'The harbour was closed on Monday. Boats stay at their moorings.',
    publishedAt: Date.UTC(2024, 5, 1),
    isNews: true,
  },
  {
    url: 'https://hafen.test/gezeiten',
    title: 'Gezeiten im Hafen',
    text: 'Die Häuser am Hafen stehen unter Wasser, wenn Sturmfluten kommen.',
    language: 'de',
  },
  {
    url: 'https://tokyo.test/',
    title: '東京の天気',
    text: '東京は晴れです。大阪の天気は雨です。',
    language: 'ja',
  },
  { url: 'https://copy.test/1', title: 'Anchors', text: long('anchor chain windlass') },
  { url: 'https://copy.test/2', title: 'Anchors', text: `${long('anchor chain windlass')} printed` },
  { url: 'https://links.test/a', title: 'Buoys', text: 'Red buoys to port.' },
  {
    url: 'https://links.test/b',
    title: 'Buoys',
    text: 'Red buoys to port!',
    links: ['https://links.test/c'],
  },
  { url: 'https://links.test/c', title: 'Buoys', text: 'Red buoys to port?' },
]

beforeAll(async () => {
  store = sqliteDatabase(join(folder, 'search.sqlite'))
  await migrateIndex(store)
  index = openIndex(store)
  for (const { url, type = 'html', ...draft } of pages) {
    const fields = {
      ...{ headings: '', description: '', language: 'en', publishedAt: undefined, modifiedAt: undefined },
      ...{ isNews: false, links: [], pictures: [], ...draft },
    }
    const { page, images } = await documentsOfPage({ url, type, fetchedAt: 0, expiresAt: 1e15, fields })
    await addDocuments(index, { teamId: 'team', kind: 'page' }, [page])
    if (images) await addDocuments(index, { teamId: 'team', kind: 'image' }, [images])
  }
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const search = (text: string, changes: Partial<IndexSearch> = {}) =>
  searchIndex(index, {
    ...{ teamId: 'team', kind: 'page', query: parseQuery(text), range: { isNewestFirst: false } },
    ...{ isNews: false, limit: 10, vector: null, ...changes },
  })
const urls = async (text: string, changes: Partial<IndexSearch> = {}) =>
  (await search(text, changes)).found.map(({ url }) => url.replace('https://', ''))

describe('searchIndex', () => {
  it.each<[string, string[]]>([
    ['tide', ['harbour.test/tides']],
    ['when do moorings fall dry', ['harbour.test/tides', 'harbour.test/fees.pdf', 'news.test/storm']],
    ['"ten euros a night"', ['harbour.test/fees.pdf']],
    ['moorings -fees', ['harbour.test/tides', 'news.test/storm']],
    ['moorings -"closed on Monday"', ['harbour.test/tides', 'harbour.test/fees.pdf']],
    ['moorings site:news.test', ['news.test/storm']],
    ['moorings -site:harbour.test', ['news.test/storm']],
    ['moorings site:harbour.test/fees.pdf', ['harbour.test/fees.pdf']],
    ['moorings filetype:pdf', ['harbour.test/fees.pdf']],
    ['moorings -filetype:pdf', ['harbour.test/tides', 'news.test/storm']],
    ['moorings inurl:storm', ['news.test/storm']],
    ['intitle:storm', ['news.test/storm']],
    ['allintitle: harbour storm', ['news.test/storm']],
    ['site:harbour.test', ['harbour.test/fees.pdf', 'harbour.test/tides']],
    ['fees OR storm', ['harbour.test/fees.pdf', 'news.test/storm']],
    ['Haus am Hafen', ['hafen.test/gezeiten']],
    ['大阪の天気', ['tokyo.test/']],
    ['aeroplane', []],
  ])('finds pages for %s', async (text, expected) => {
    const found = await urls(text)
    expect(found.toSorted()).toEqual(expected.toSorted())
    if (expected[0] !== undefined && !text.includes('OR')) expect(found[0]).toBe(expected[0])
  })

  it('returns one of several near-duplicates', async () => {
    expect(await urls('windlass')).toHaveLength(1)
  })

  it('ranks a page that others link to first', async () => {
    expect((await urls('red buoys'))[0]).toBe('links.test/c')
  })

  it('filters by date and news, and sorts by date', async () => {
    const range = { from: Date.UTC(2024, 3, 1), isNewestFirst: false }
    expect(await urls('moorings', { range })).toEqual(['news.test/storm'])
    expect(await urls('moorings', { isNews: true })).toEqual(['news.test/storm'])
    expect((await urls('moorings', { range: { isNewestFirst: true } }))[0]).toBe('news.test/storm')
  })

  it('finds images by words and sizes', async () => {
    const findImages = async (text: string) =>
      (await search(text, { kind: 'image' })).found.map(({ image }) => image?.url.replace('https://', ''))
    expect(await findImages('harbour')).toHaveLength(2)
    expect(await findImages('harbour larger:800x600')).toEqual(['harbour.test/ebb.jpg'])
    expect(await findImages('harbour imagesize:400x300')).toEqual(['harbour.test/small.jpg'])
  })

  it('returns the passage that answers the query', async () => {
    const [first] = (await search('moorings dry')).found
    expect(first?.passage?.text).toBe('Moorings fall dry for two hours.')
    expect(first?.passage?.marks.map(([start, end]) => first.passage?.text.slice(start, end))).toEqual([
      'Moorings',
      'dry',
    ])
  })

  it('returns the number of documents, and none of another team', async () => {
    expect((await search('aeroplane')).documents).toBe(10)
    expect(await search('tide', { teamId: 'other' })).toMatchObject({ found: [], documents: 0 })
  })
})
