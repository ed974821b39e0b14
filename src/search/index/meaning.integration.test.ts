import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentenceModelFolder } from '../../../test/sentence-model.ts'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { silentLog } from '../../platform/log.ts'
import { postgresDatabase } from '../../store/database/postgres.ts'
import { sqliteDatabase } from '../../store/database/sqlite.ts'
import { parseQuery } from '../query/query.ts'
import { dimensions, openModel, type SentenceModel, similarity } from '../sentence-model/open-model.ts'
import { addDocuments, openIndex, type SearchIndex } from './documents.ts'
import { claimVectors, recordSearch, saveVectors } from './make-vectors.ts'
import { migrateIndex } from './migrate.ts'
import { documentsOfPage } from './page-documents.ts'
import { searchIndex } from './search-index.ts'
import type { SearchStore } from './tables.ts'

interface Draft {
  url: string
  title: string
  text: string
  language?: string
}

const boats: Draft = { url: 'https://a.test/', title: 'Boats', text: 'The water is low, the boats lie dry.' }
const banks: Draft = {
  url: 'https://b.test/',
  title: 'Water',
  text: 'Water rates are paid at the bank, low.',
}
const german: Draft = {
  url: 'https://c.test/',
  title: 'Low water',
  text: 'Low water im Hafen.',
  language: 'de',
}

const ship: Draft = {
  url: 'https://d.test/',
  title: 'Ship',
  text: 'A boat on the water, far from every harbour.',
}

const fees: Draft = { url: 'https://e.test/', title: 'Fees', text: 'Boats pay harbour fees.' }

/** Creates a stub model with one meaning: texts about boats and not about fees. */
function boatModel(texts: string[] = []): SentenceModel {
  return {
    async embed(text) {
      texts.push(text)
      return new Int8Array(dimensions)
        .fill(0)
        .with(/boat|ebb/i.test(text) && !/fees/i.test(text) ? 0 : 1, 127)
    },
  }
}

const anyTeam = { now: 1, searchedSince: 0, afterIndex: '' }

/** Computes vectors as the service does. Returns the claimed index. */
async function computeBatch({ store }: SearchIndex, model: SentenceModel, claim = anyTeam) {
  const { tasks, indexId } = await claimVectors(store, claim)
  const computed: { indexId: string; number: number; vector: Uint8Array }[] = []
  for (const task of tasks) computed.push({ ...task, vector: Uint8Array.from(await model.embed(task.text)) })
  await saveVectors(store.query, { computed, released: [] })
  return indexId
}

function meaningContract(open: () => SearchIndex): void {
  let team = 0
  const createTeamScene = () => {
    team += 1
    const teamId = `meaning-${team}`
    const texts: string[] = []
    const model = boatModel(texts)
    const vectorsOf = async () => {
      const rows = await open()
        .store.query.selectFrom('search_documents as document')
        .innerJoin('search_indexes as of', 'of.id', 'document.index_id')
        .select(['url', 'vector'])
        .where('of.team_id', '=', teamId)
        .orderBy('number')
        .execute()
      return rows.map(({ url, vector }) => [url, vector?.length])
    }
    async function search(text: string, isNewestFirst = false) {
      const request = { teamId, kind: 'page' as const, query: parseQuery(text), isNews: false, limit: 10 }
      const range = { isNewestFirst }
      const first = await searchIndex(open(), { ...request, range })
      if (first.vectorText === undefined) return first
      return searchIndex(open(), { ...request, range, vector: await model.embed(first.vectorText) })
    }
    return {
      texts,
      vectorsOf,
      async add(...drafts: Draft[]) {
        for (const { url, ...draft } of drafts) {
          const fields = {
            ...{ headings: '', description: '', language: 'en', publishedAt: undefined, pictures: [] },
            ...{ modifiedAt: undefined, isNews: false, links: [], ...draft },
          }
          const { page } = await documentsOfPage({ url, type: 'html', fetchedAt: 0, expiresAt: 1e15, fields })
          await addDocuments(open(), { teamId, kind: 'page' }, [page])
        }
      },
      async embed() {
        while (await computeBatch(open(), model)) await Promise.resolve()
      },
      search,
      async find(text: string, isNewestFirst = false) {
        return (await search(text, isNewestFirst)).found.map(({ url }) => url)
      },
    }
  }
  const long = Array.from({ length: 60 }, (_, at) => `boat${at}`).join(' ')

  it('finds pages by meaning if no word matches', async () => {
    const { add, embed, find } = createTeamScene()
    await add(boats, banks)
    expect(await find('ebb')).toEqual([])
    await embed()
    expect(await find('ebb')).toEqual([boats.url])
    expect(await find('ebb site:b.test')).toEqual([])
    expect(await find('"ebb"')).toEqual([])
  })

  it('ranks by words until vectors exist, then also by meaning', async () => {
    const { add, embed, find } = createTeamScene()
    await add(boats, banks, ship)
    expect(await find('ebb low water')).toEqual([banks.url, boats.url, ship.url])
    await embed()
    expect(await find('ebb low water')).toEqual([boats.url, banks.url, ship.url])
    expect(await find('ebb low water', true)).toEqual([banks.url, boats.url, ship.url])
  })

  it('ranks a page with every query word before pages with a similar meaning', async () => {
    const { add, embed, find } = createTeamScene()
    await add(boats, fees, { ...ship, text: 'A boat on the water.' })
    await embed()
    expect(await find('boats harbour')).toEqual([fees.url, boats.url, ship.url])
    expect((await find('boats quay'))[0]).toBe(boats.url)
  })

  it('ignores pages and queries in languages that the model does not support', async () => {
    const { add, embed, find, vectorsOf, texts } = createTeamScene()
    await add(german, boats, banks, ship)
    await embed()
    expect(await vectorsOf()).toEqual([
      [german.url, undefined],
      ...[boats, banks, ship].map(({ url }) => [url, dimensions]),
    ])
    expect(await find('ebb low water')).toEqual([german.url, boats.url, banks.url, ship.url])
    const before = texts.length
    expect(await find('das low water ebb und')).toEqual([german.url, banks.url, boats.url, ship.url])
    expect(texts).toHaveLength(before)
  })

  it('computes one vector for pages with the same text', async () => {
    const { add, embed, vectorsOf, texts } = createTeamScene()
    const page = { url: 'https://long.test/', title: 'Long', text: long }
    await add(page, { ...page, url: 'https://copy.test/' })
    await embed()
    expect(texts).toEqual([`Long. \n${long}`])
    await add(page)
    await embed()
    expect(texts).toHaveLength(1)
    await add({ ...page, text: 'Something else' }, { ...page, url: 'https://copy.test/', title: 'Renamed' })
    await embed()
    expect(texts).toHaveLength(3)
    expect(await vectorsOf()).toEqual([
      [page.url, dimensions],
      ['https://copy.test/', dimensions],
    ])
  })

  it('reuses the vector of a page with few changed words', async () => {
    const { add, embed, texts } = createTeamScene()
    const many = Array.from({ length: 600 }, (_, at) => `boat${at}`).join(' ')
    await add({ url: 'https://long.test/', title: 'Long', text: many })
    await embed()
    await add({ url: 'https://long.test/', title: 'Long', text: `${many} today` })
    await embed()
    expect(texts).toHaveLength(1)
  })

  it('claims documents again that were released, or not finished in time', async () => {
    const { add, search } = createTeamScene()
    await add(boats)
    const texts: string[] = []
    const { store } = open()
    const { tasks } = await claimVectors(store, anyTeam)
    expect(tasks.map(({ text }) => text)).toEqual([`${boats.title}. \n${boats.text}`])
    expect((await claimVectors(store, anyTeam)).tasks).toEqual([])
    await saveVectors(store.query, { computed: [], released: tasks })
    expect((await search('boats')).withoutVector).toBe(1)
    await claimVectors(store, { ...anyTeam, now: 2 })
    expect((await claimVectors(store, { ...anyTeam, now: 3 })).tasks).toEqual([])
    await computeBatch(open(), boatModel(texts), { ...anyTeam, now: 200_000 })
    expect(texts).toHaveLength(1)
    expect((await search('boats')).withoutVector).toBe(0)
  })

  it('computes vectors for teams that have searched: found pages first, then the newest', async () => {
    const { add, embed, search } = createTeamScene()
    const page = (at: number) => ({
      url: `https://a.test/${at}`,
      title: `${at}`,
      text: at === 2 ? 'ebb' : 'x',
    })
    await add(...Array.from({ length: 12 }, (_, at) => page(at)))
    const { store } = open()
    const searched = { now: 10_000_000, searchedSince: 5_000_000, afterIndex: '' }
    expect(await claimVectors(store, searched)).toEqual({ tasks: [], indexId: undefined })
    const { indexId, ranked } = await search('ebb').then(async (first) => ({
      ...first,
      ranked: (
        await store.query
          .selectFrom('search_documents')
          .select('number')
          .where('index_id', '=', first.indexId)
          .where('title', '=', '2')
          .execute()
      ).map(({ number }) => number),
    }))
    await recordSearch(store, { indexId, ranked }, 9_000_000)
    const { tasks } = await claimVectors(store, searched)
    expect(tasks.map(({ text }) => text.split('.')[0])).toEqual(['2', '11', '10', '9'])
    await saveVectors(store.query, { computed: [], released: tasks })
    await embed()
  })

  it('computes each vector once with several concurrent processes', async () => {
    const { add, texts } = createTeamScene()
    const drafts = Array.from({ length: 12 }, (_, at) => ({
      url: `https://a.test/${at}`,
      title: `${at}`,
      text: 'x',
    }))
    await add(...drafts)
    const work = async () => {
      while (await computeBatch(open(), boatModel(texts))) await Promise.resolve()
    }
    await Promise.all([work(), work(), work()])
    expect(texts.toSorted()).toEqual(drafts.map(({ title }) => `${title}. \nx`).toSorted())
  })

  it('computes vectors of one team between those of another team with many pages', async () => {
    const [many, one] = [createTeamScene(), createTeamScene()]
    const page = (at: number) => ({ url: `https://a.test/${at}`, title: `${at}`, text: 'x' })
    await many.add(...Array.from({ length: 30 }, (_, at) => page(at)))
    await one.add(page(0))
    let afterIndex = ''
    for (let round = 0; round < 2; round += 1)
      afterIndex = (await computeBatch(open(), boatModel(), { ...anyTeam, afterIndex })) ?? ''
    expect(await one.vectorsOf()).toEqual([['https://a.test/0', dimensions]])
  })
}

describe('search by meaning on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-meaning-'))
  let store: SearchStore
  let index: SearchIndex
  beforeAll(async () => {
    store = sqliteDatabase(join(folder, 'search.sqlite'))
    await migrateIndex(store)
    index = openIndex(store)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  meaningContract(() => index)
})

describe('search by meaning on PostgreSQL', () => {
  let server: PostgresServer
  let store: SearchStore
  let index: SearchIndex
  beforeAll(async () => {
    server = await startPostgres()
    store = postgresDatabase(await server.createDatabase(), silentLog)
    await migrateIndex(store)
    index = openIndex(store)
  })
  afterAll(async () => {
    await store.close()
    await server.stop()
  })
  meaningContract(() => index)
})

describe.skipIf(sentenceModelFolder === undefined)('the sentence model', () => {
  it('computes similarities close to the published ones', async () => {
    const model = await openModel(sentenceModelFolder ?? '')
    const [lovely, sunny, stadium] = await Promise.all(
      ['The weather is lovely today.', "It's so sunny outside!", 'He drove to the stadium.'].map(model.embed),
    )
    if (!lovely || !sunny || !stadium) throw new Error('no vectors')
    expect(similarity(lovely, lovely)).toBeCloseTo(1)
    for (const [one, other, published] of [
      [lovely, sunny, 0.666],
      [lovely, stadium, 0.105],
      [sunny, stadium, 0.141],
    ] as const)
      expect(Math.abs(similarity(one, other) - published)).toBeLessThan(0.05)
  })
})
