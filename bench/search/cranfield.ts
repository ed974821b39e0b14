import type { PageToIndex } from '../../src/search/index/index-page.ts'
import { atLeast, type Figure, plain } from '../figure.ts'
import { type CollectionDocument, type JudgedQuery, orderScore, readCollection } from './collection.ts'
import { addPages, findUrls } from './find-urls.ts'
import { fts5, type OtherRanking, postgresFullText } from './other-rankings.ts'
import { type BenchStore, openPostgres, openSqlite } from './stores.ts'
import { makeAllVectors } from './vectors.ts'

const needed = 0.4
const name = 'Cranfield, nDCG@10'

/** How well our order answers judged queries, beside the rankings that the two stores have themselves. */
export async function measureCranfield(folder: string): Promise<Figure[]> {
  const { documents, queries } = readCollection(folder, 'cranfield')
  const sqlite = await ourAnswers(openSqlite, documents, queries)
  const postgres = await ourAnswers(openPostgres, documents, queries)
  const fts = await otherScore(fts5(documents), queries)
  const fullText = await otherScore(await postgresFullText(documents), queries)
  const score = mean(queries.map((query, place) => orderScore(query, sqlite.answers[place] ?? [])))
  const same = sqlite.answers.filter((found, place) => `${found}` === `${postgres.answers[place]}`)
  return [
    plain('Cranfield, documents with a vector', sqlite.vectors, ''),
    atLeast(`${name}, our index`, score, needed, ''),
    atLeast(`${name}, more than ${fts.name}`, score - fts.score, 0, ''),
    atLeast(`${name}, more than ${fullText.name}`, score - fullText.score, 0, ''),
    plain(`${name}, ${fts.name}`, fts.score, ''),
    plain(`${name}, ${fullText.name}`, fullText.score, ''),
    atLeast('Cranfield, same order on both stores', same.length, queries.length, 'queries'),
  ]
}

async function ourAnswers(
  open: () => Promise<BenchStore>,
  documents: CollectionDocument[],
  queries: JudgedQuery[],
): Promise<{ answers: string[][]; vectors: number }> {
  const store = await open()
  try {
    await addPages(store, documents.map(pageOf))
    const { share: vectors, queryVector } = await makeAllVectors(store)
    const answers: string[][] = []
    for (const { text } of queries)
      answers.push((await findUrls(store, text, { most: 100, queryVector })).map(idOf))
    return { answers, vectors }
  } finally {
    await store.close()
  }
}

/** Addresses are words too, so these are none that a query could have. */
const site = 'https://zzz.zzz/zzz'
const idOf = (url: string) => url.slice(site.length)

function pageOf({ id, title, text }: CollectionDocument): PageToIndex {
  return {
    ...{ url: `${site}${id}`, type: 'html', fetchedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
    fields: {
      ...{ title, text, headings: '', description: '', language: 'en', isNews: false },
      ...{ publishedAt: undefined, modifiedAt: undefined, pictures: [], links: [] },
    },
  }
}

async function otherScore(
  ranking: OtherRanking,
  queries: JudgedQuery[],
): Promise<{ name: string; score: number }> {
  const scores: number[] = []
  for (const query of queries) scores.push(orderScore(query, await ranking.find(query.text, 100)))
  await ranking.close()
  return { name: ranking.name, score: mean(scores) }
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
