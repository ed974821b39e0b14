import { dimensions, similarity } from '../sentence-model/open-model.ts'
import { type DocumentSummary, selectDocuments } from './documents.ts'
import type { WordSearch } from './page-index.ts'
import { canFindNearest, findNearest } from './pgvector.ts'
import type { IndexTable, SearchStore } from './tables.ts'

/**
 * Maximum vectors, newest first, that this process compares. In a larger index, PostgreSQL with pgvector compares all
 * of them; elsewhere, older documents are found by their words only.
 */
const maxCompared = 20_000
const maxNearest = 100
/** Minimum similarity; less similar texts are unrelated. */
const minSimilarity = 0.3

/**
 * Returns the numbers of the documents whose meaning is nearest to a query, regardless of their words, nearest first.
 */
export async function nearestDocuments(
  store: SearchStore,
  { index, vector, filter }: { index: IndexTable; vector: Int8Array; filter: WordSearch['filter'] },
  limit = maxCompared,
): Promise<number[]> {
  if (index.documents > limit && (await canFindNearest(store)))
    return findNearest(store, { indexId: index.id, vector, filter }, { limit: maxNearest, minSimilarity })
  const newest = selectDocuments(store.query, index.id)
    .select(['number', 'vector'])
    .where('vector', 'is not', null)
    .orderBy('number', 'desc')
    .limit(limit)
  const rows = await (filter ? newest.where(filter) : newest).execute()
  const near = rows.flatMap((row) => {
    const rowVector = readVector(row.vector)
    const score = rowVector ? similarity(vector, rowVector) : 0
    return score >= minSimilarity ? [{ number: row.number, score }] : []
  })
  near.sort((one, other) => other.score - one.score || one.number - other.number)
  return near.slice(0, maxNearest).map(({ number }) => number)
}

/**
 * Ranks rows by their similarity to a query. `byWords` were found by words, best first; `added` were found only by
 * meaning. A row without a vector keeps its rank, so that a page does not lose its rank while its vector is pending.
 */
export function rankBySimilarity(
  byWords: DocumentSummary[],
  added: DocumentSummary[],
  vector: Int8Array,
): DocumentSummary[] {
  const ranked = [...byWords, ...added].map((row) => ({ row, own: readVector(row.vector) }))
  const similar = ranked
    .flatMap(({ row, own }) => (own ? [{ row, score: similarity(vector, own) }] : []))
    .sort((one, other) => other.score - one.score)
  let next = 0
  return ranked.map(({ row, own }) => {
    if (!own) return row
    next += 1
    return similar[next - 1]?.row ?? row
  })
}

/**
 * Returns the vector of a row; undefined if there is none, or if it is empty because the model could not read the text.
 */
function readVector(bytes: Uint8Array | null): Int8Array | undefined {
  return bytes?.length === dimensions ? new Int8Array(bytes.buffer, bytes.byteOffset, dimensions) : undefined
}
