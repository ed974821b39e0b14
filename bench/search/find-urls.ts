import { addDocuments } from '../../src/search/index/documents.ts'
import { documentsOfPage, type PageToIndex } from '../../src/search/index/page-documents.ts'
import { searchIndex } from '../../src/search/index/search-index.ts'
import { parseQuery } from '../../src/search/query/query.ts'
import type { BenchStore } from './stores.ts'
import type { BenchVectors } from './vectors.ts'

const teamId = 'bench'
const together = 64

/** Indexes pages as the service does, without their pictures. */
export async function addPages({ index }: BenchStore, pages: readonly PageToIndex[]): Promise<void> {
  for (let start = 0; start < pages.length; start += together) {
    const documents = await Promise.all(pages.slice(start, start + together).map(documentsOfPage))
    await addDocuments(
      index,
      { teamId, kind: 'page' },
      documents.map(({ page }) => page),
    )
  }
}

/** The addresses that a query finds, the best first. */
export async function findUrls(
  { index }: BenchStore,
  text: string,
  { most, queryVector }: { most: number; queryVector?: BenchVectors['queryVector'] },
): Promise<string[]> {
  const query = parseQuery(text)
  const range = { isNewestFirst: false }
  const vector = (await queryVector?.(text)) ?? null
  const wanted = { teamId, kind: 'page' as const, query, range, isNews: false, limit: most, vector }
  const { found } = await searchIndex(index, wanted)
  return found.map(({ url }) => url)
}
