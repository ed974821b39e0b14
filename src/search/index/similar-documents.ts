import { isForModel } from '../sentence-model/known-language.ts'
import { similarity } from '../sentence-model/vector.ts'
import { conditionOf, type DocumentFilter } from './find-documents.ts'
import type { QueryVector } from './query-vector.ts'
import { vectorIn } from './rerank.ts'
import type { IndexTable, SearchStore } from './tables.ts'

/** All vectors of an index are compared, so that a larger one is searched by its words alone. */
const mostCompared = 20_000
/** Texts that are less alike than this have nothing to do with each other. */
const leastSimilarity = 0.3

export interface SimilarWanted {
  index: IndexTable
  query: string
  languages: readonly string[]
  filter: DocumentFilter
  /** Documents that were found by their words. */
  known: ReadonlySet<number>
  most: number
}

/** The numbers of documents that mean what a query says, in other words; the nearest first. */
export async function similarDocuments(
  { query: rows }: SearchStore,
  queryVector: QueryVector,
  { index, query, languages, filter, known, most }: SimilarWanted,
): Promise<number[]> {
  if (query === '' || index.documents > mostCompared || !(await isForModel(query, languages))) return []
  const wanted = await queryVector(query)
  if (!wanted) return []
  const documents = await rows
    .selectFrom('search_documents')
    .select(['number', 'vector'])
    .where('index_id', '=', index.id)
    .where('vector', 'is not', null)
    .where(conditionOf(filter))
    .execute()
  const compared = documents.flatMap(({ number, vector }) => {
    const own = known.has(number) ? undefined : vectorIn(vector ?? undefined)
    const alike = own ? similarity(wanted, own) : 0
    return alike >= leastSimilarity ? [{ number, alike }] : []
  })
  compared.sort((one, other) => other.alike - one.alike || one.number - other.number)
  return compared.slice(0, most).map(({ number }) => number)
}
