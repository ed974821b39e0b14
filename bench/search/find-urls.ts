import { addDocuments } from '../../src/search/index/add-documents.ts'
import { indexPage, type PageToIndex } from '../../src/search/index/index-page.ts'
import type { QueryVector } from '../../src/search/index/query-vector.ts'
import { searchIndex } from '../../src/search/index/search-index.ts'
import { parseQuery } from '../../src/search/query/parse-query.ts'
import type { BenchStore } from './stores.ts'

const teamId = 'bench'
const together = 64

/** Indexes pages as the service does, without their pictures. */
export async function addPages({ store }: BenchStore, pages: readonly PageToIndex[]): Promise<void> {
  for (let start = 0; start < pages.length; start += together) {
    const documents = await Promise.all(pages.slice(start, start + together).map(indexPage))
    await addDocuments(
      store,
      { teamId, kind: 'page' },
      documents.map(({ page }) => page),
    )
  }
}

/** The addresses that a query finds, the best first. */
export async function findUrls(
  { store }: BenchStore,
  text: string,
  { most, queryVector }: { most: number; queryVector?: QueryVector | undefined },
): Promise<string[]> {
  const query = parseQuery(text)
  const range = { isNewestFirst: false }
  const wanted = { teamId, kind: 'page' as const, query, range, isNews: false, most }
  const { found } = await searchIndex(store, wanted, queryVector)
  return found.map(({ url }) => url)
}
