import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { atLeast, type Figure, plain } from '../figure.ts'
import { type CollectionDocument, type JudgedQuery, orderScore, readCollection } from './collection.ts'
import { addPages, findUrls } from './find-urls.ts'
import { type BenchStore, openPostgres, openSqlite } from './stores.ts'
import { type BenchVectors, makeAllVectors } from './vectors.ts'

const needed = 0.4

/** How well the order of results answers judged queries: by words alone, and by words and meaning. */
export async function measureCranfield(folder: string): Promise<Figure[]> {
  const collection = readCollection(folder, 'cranfield')
  return [...(await scores(openSqlite, collection)), ...(await scores(openPostgres, collection))]
}

async function scores(
  open: () => Promise<BenchStore>,
  { documents, queries }: { documents: CollectionDocument[]; queries: JudgedQuery[] },
): Promise<Figure[]> {
  const store = await open()
  const name = `Cranfield on ${store.name}, nDCG@10`
  const score = async (queryVector?: BenchVectors['queryVector']) => {
    const each: number[] = []
    for (const query of queries) {
      const found = await findUrls(store, query.text, { most: 100, queryVector })
      each.push(orderScore(query, found.map(idOf)))
    }
    return each.reduce((sum, value) => sum + value, 0) / each.length
  }
  try {
    await addPages(store, documents.map(pageOf))
    const byWords = plain(`${name}, words alone`, await score(), '')
    const { queryVector } = await makeAllVectors(store)
    if (!queryVector) return [byWords]
    return [byWords, atLeast(`${name}, words and vectors`, await score(queryVector), needed, '')]
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
