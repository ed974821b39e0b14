import { addDocuments } from '../../src/search/index/documents.ts'
import { documentsOfPage, type PageToIndex } from '../../src/search/index/page-documents.ts'
import { searchIndex } from '../../src/search/index/search-index.ts'
import { parseQuery } from '../../src/search/query/query.ts'
import type { BenchStore } from './stores.ts'
import type { BenchVectors } from './vectors.ts'

const teamId = 'bench'
const batchSize = 64

/** Indexes pages like the service, without their images. */
export async function addPages({ index }: BenchStore, pages: readonly PageToIndex[]): Promise<void> {
  for (let start = 0; start < pages.length; start += batchSize) {
    const documents = await Promise.all(pages.slice(start, start + batchSize).map(documentsOfPage))
    await addDocuments(
      index,
      { teamId, kind: 'page' },
      documents.map(({ page }) => page),
    )
  }
}

/** Returns the URLs that a query finds, best first. */
export async function findUrls(
  { index }: BenchStore,
  text: string,
  { limit, queryVector }: { limit: number; queryVector?: BenchVectors['queryVector'] },
): Promise<string[]> {
  const query = parseQuery(text)
  const range = { isNewestFirst: false }
  const vector = (await queryVector?.(text)) ?? null
  const searchRequest = { teamId, kind: 'page' as const, query, range, isNews: false, limit, vector }
  const { found } = await searchIndex(index, searchRequest)
  return found.map(({ url }) => url)
}
