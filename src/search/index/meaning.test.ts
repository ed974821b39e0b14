import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sentenceModelFolder } from '../../../test/sentence-model.ts'
import { type PostgresServer, startPostgres } from '../../../test/servers/postgres.ts'
import { postgresDatabase } from '../../adapters/database/postgres.ts'
import { sqliteDatabase } from '../../adapters/database/sqlite.ts'
import { silentLog } from '../../base/log.ts'
import { parseQuery } from '../query/parse-query.ts'
import { openModel, type SentenceModel } from '../sentence-model/open-model.ts'
import { dimensions, similarity } from '../sentence-model/vector.ts'
import { addDocuments } from './add-documents.ts'
import { indexPage } from './index-page.ts'
import { areVectorsDue, makeVectors } from './make-vectors.ts'
import { migrateIndex } from './migrate.ts'
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

/** It knows one meaning: whether a text is about boats. */
function boatModel(texts: string[] = []): SentenceModel {
  return {
    async embed(text) {
      texts.push(text)
      return new Int8Array(dimensions).fill(0).with(/boat|ebb/i.test(text) ? 0 : 1, 127)
    },
  }
}

function meaningContract(open: () => SearchStore): void {
  let team = 0
  const fresh = () => {
    team += 1
    const teamId = `meaning-${team}`
    const texts: string[] = []
    const model = boatModel(texts)
    const vectorsOf = async () => {
      const rows = await open()
        .query.selectFrom('search_documents as document')
        .innerJoin('search_indexes as of', 'of.id', 'document.index_id')
        .select(['url', 'vector'])
        .where('of.team_id', '=', teamId)
        .orderBy('number')
        .execute()
      return rows.map(({ url, vector }) => [url, vector?.length])
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
          const { page } = await indexPage({ url, type: 'html', fetchedAt: 0, expiresAt: 1e15, fields })
          await addDocuments(open(), { teamId, kind: 'page' }, [page])
        }
      },
      async embed(pause = async () => true) {
        while (await makeVectors(open(), model, { now: 1, afterIndex: '', pause })) await Promise.resolve()
      },
      async find(text: string, isNewestFirst = false) {
        const wanted = { teamId, kind: 'page' as const, query: parseQuery(text), isNews: false, most: 10 }
        const { found } = await searchIndex(open(), { ...wanted, range: { isNewestFirst } }, model.embed)
        return found.map(({ url }) => url)
      },
    }
  }
  const long = Array.from({ length: 60 }, (_, at) => `boat${at}`).join(' ')

  it('finds what is said in other words, where words find too little', async () => {
    const { add, embed, find } = fresh()
    await add(boats, banks)
    expect(await find('ebb')).toEqual([])
    await embed()
    expect(await find('ebb')).toEqual([boats.url])
    expect(await find('ebb site:b.test')).toEqual([])
    expect(await find('"ebb"')).toEqual([])
  })

  it('ranks by words until vectors are there, then by meaning, too', async () => {
    const { add, embed, find } = fresh()
    await add(boats, banks)
    expect(await find('ebb low water')).toEqual([banks.url, boats.url])
    await embed()
    expect(await find('ebb low water')).toEqual([boats.url, banks.url])
    expect(await find('ebb low water', true)).toEqual([banks.url, boats.url])
  })

  it('leaves pages and queries alone in languages that the model does not know', async () => {
    const { add, embed, find, vectorsOf, texts } = fresh()
    await add(german, boats, banks)
    await embed()
    expect(await vectorsOf()).toEqual([
      [german.url, undefined],
      [boats.url, dimensions],
      [banks.url, dimensions],
    ])
    expect(await find('low water')).toEqual([german.url, banks.url, boats.url])
    expect(await find('ebb low water')).toEqual([german.url, boats.url, banks.url])
    const before = texts.length
    expect(await find('das low water ebb und')).toEqual([german.url, banks.url, boats.url])
    expect(texts).toHaveLength(before)
  })

  it('makes no vector twice for what means the same', async () => {
    const { add, embed, vectorsOf, texts } = fresh()
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

  it('keeps the vector of a page in which a few words have changed', async () => {
    const { add, embed, texts } = fresh()
    const many = Array.from({ length: 600 }, (_, at) => `boat${at}`).join(' ')
    await add({ url: 'https://long.test/', title: 'Long', text: many })
    await embed()
    await add({ url: 'https://long.test/', title: 'Long', text: `${many} today` })
    await embed()
    expect(texts).toHaveLength(1)
  })

  it('gives back what it did not come to where other work waits', async () => {
    const { add, embed, texts } = fresh()
    await add(boats, banks)
    await makeVectors(open(), boatModel(texts), { now: 1, afterIndex: '', pause: async () => false })
    expect(texts).toHaveLength(1)
    expect(await areVectorsDue(open(), 1)).toBe(true)
    await embed()
    expect(texts).toHaveLength(2)
    expect(await areVectorsDue(open(), 1)).toBe(false)
  })

  it('takes up after a while what another process did not finish', async () => {
    const { add, texts } = fresh()
    await add(boats)
    const failing = { embed: async () => Promise.reject(new Error('out of memory')) }
    const turn = { afterIndex: '', pause: async () => true }
    await expect(makeVectors(open(), failing, { now: 1, ...turn })).rejects.toThrow('out of memory')
    expect(await makeVectors(open(), boatModel(texts), { now: 2, ...turn })).toBeUndefined()
    expect(await makeVectors(open(), boatModel(texts), { now: 200_000, ...turn })).toBeDefined()
    expect(texts).toHaveLength(1)
  })

  it('makes each vector once where several processes make them', async () => {
    const { add, texts } = fresh()
    const drafts = Array.from({ length: 12 }, (_, at) => ({
      url: `https://a.test/${at}`,
      title: `${at}`,
      text: 'x',
    }))
    await add(...drafts)
    const work = async () => {
      const wanted = { now: 1, afterIndex: '', pause: async () => true }
      while (await makeVectors(open(), boatModel(texts), wanted)) await Promise.resolve()
    }
    await Promise.all([work(), work(), work()])
    expect(texts.toSorted()).toEqual(drafts.map(({ title }) => `${title}. \nx`).toSorted())
  })

  it('makes vectors of one team between those of another with many pages', async () => {
    const [many, one] = [fresh(), fresh()]
    const page = (at: number) => ({ url: `https://a.test/${at}`, title: `${at}`, text: 'x' })
    await many.add(...Array.from({ length: 30 }, (_, at) => page(at)))
    await one.add(page(0))
    let afterIndex = ''
    for (let turn = 0; turn < 2; turn += 1)
      afterIndex =
        (await makeVectors(open(), boatModel(), { now: 1, afterIndex, pause: async () => true })) ?? ''
    expect(await one.vectorsOf()).toEqual([['https://a.test/0', dimensions]])
  })
}

describe('meaning on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'winnow-meaning-'))
  let store: SearchStore
  beforeAll(async () => {
    store = sqliteDatabase(join(folder, 'search.sqlite'))
    await migrateIndex(store)
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  meaningContract(() => store)
})

describe('meaning on PostgreSQL', () => {
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
  meaningContract(() => store)
})

describe.skipIf(sentenceModelFolder === undefined)('the sentence model', () => {
  it('finds texts as alike as its makers say', async () => {
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
