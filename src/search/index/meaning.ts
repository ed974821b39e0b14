import { dimensions, similarity } from '../sentence-model/open-model.ts'
import { documentsIn, type FoundRow } from './documents.ts'
import type { WordSearch } from './page-index.ts'
import { canFindNearest, findNearest } from './pgvector.ts'
import type { IndexTable, SearchStore } from './tables.ts'

/**
 * Newest vectors that are compared here. In a larger index, PostgreSQL with pgvector compares all of them; elsewhere, older
 * documents are found by their words alone.
 */
const maxCompared = 20_000
const maxNearest = 100
/** Texts that are less similar have nothing to do with each other. */
const minSimilarity = 0.3

/** Numbers of the documents whose meaning is nearest to a query, whatever their words, nearest first. */
export async function nearestDocuments(
  store: SearchStore,
  { index, vector, filter }: { index: IndexTable; vector: Int8Array; filter: WordSearch['filter'] },
  compared = maxCompared,
): Promise<number[]> {
  if (index.documents > compared && (await canFindNearest(store)))
    return findNearest(store, { indexId: index.id, vector, filter }, { limit: maxNearest, minSimilarity })
  const all = documentsIn(store.query, index.id)
    .select(['number', 'vector'])
    .where('vector', 'is not', null)
    .orderBy('number', 'desc')
    .limit(compared)
  const rows = await (filter ? all.where(filter) : all).execute()
  const near = rows.flatMap((row) => {
    const own = readVector(row.vector)
    const score = own ? similarity(vector, own) : 0
    return score >= minSimilarity ? [{ number: row.number, score }] : []
  })
  near.sort((one, other) => other.score - one.score || one.number - other.number)
  return near.slice(0, maxNearest).map(({ number }) => number)
}

/**
 * Ranks rows by their similarity to a query: those that were found by words, best first, and `added` ones that were found by
 * meaning alone. A row without a vector keeps its rank, so that a page does not lose by waiting for its vector.
 */
export function rankBySimilarity(byWords: FoundRow[], added: FoundRow[], vector: Int8Array): FoundRow[] {
  const all = [...byWords, ...added].map((row) => ({ row, own: readVector(row.vector) }))
  const similar = all
    .flatMap(({ row, own }) => (own ? [{ row, score: similarity(vector, own) }] : []))
    .sort((one, other) => other.score - one.score)
  let next = 0
  return all.map(({ row, own }) => {
    if (!own) return row
    next += 1
    return similar[next - 1]?.row ?? row
  })
}

/** Undefined if there is none, and for the empty vector of a text that the model could not read. */
function readVector(bytes: Uint8Array | null): Int8Array | undefined {
  return bytes?.length === dimensions ? new Int8Array(bytes.buffer, bytes.byteOffset, dimensions) : undefined
}
