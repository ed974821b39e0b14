import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { atLeast, type Figure, figure } from '../figure.ts'
import { type CollectionDocument, type JudgedQuery, orderScore, readCollection } from './collection.ts'
import { addPages, findUrls } from './find-urls.ts'
import { type BenchStore, openPostgres, openSqlite } from './stores.ts'
import { type BenchVectors, computeAllVectors } from './vectors.ts'

const minScore = 0.4

/** Measures the order of results for judged queries: by words alone, and by words and vectors. */
export async function measureCranfield(folder: string): Promise<Figure[]> {
  const collection = readCollection(folder, 'cranfield')
  return [...(await measureStore(openSqlite, collection)), ...(await measureStore(openPostgres, collection))]
}

async function measureStore(
  open: () => Promise<BenchStore>,
  { documents, queries }: { documents: CollectionDocument[]; queries: JudgedQuery[] },
): Promise<Figure[]> {
  const store = await open()
  const name = `Cranfield on ${store.name}, nDCG@10`
  const measureScore = async (queryVector?: BenchVectors['queryVector']) => {
    const queryScores: number[] = []
    for (const query of queries) {
      const found = await findUrls(store, query.text, { limit: 100, queryVector })
      queryScores.push(orderScore(query, found.map(toId)))
    }
    return queryScores.reduce((sum, value) => sum + value, 0) / queryScores.length
  }
  try {
    await addPages(store, documents.map(toPage))
    const byWords = figure(`${name}, words alone`, await measureScore(), '')
    const { queryVector } = await computeAllVectors(store)
    if (!queryVector) return [byWords]
    return [byWords, atLeast(`${name}, words and vectors`, await measureScore(queryVector), minScore, '')]
  } finally {
    await store.close()
  }
}

/** Base URL of the pages. URLs are indexed as words, so it contains no words of a query. */
const baseUrl = 'https://zzz.zzz/zzz'
const toId = (url: string) => url.slice(baseUrl.length)

function toPage({ id, title, text }: CollectionDocument): PageToIndex {
  return {
    ...{ url: `${baseUrl}${id}`, type: 'html', fetchedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
    fields: {
      ...{ title, text, headings: '', description: '', language: 'en', isNews: false },
      ...{ publishedAt: undefined, modifiedAt: undefined, pictures: [], links: [] },
    },
  }
}
