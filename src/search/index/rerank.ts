import { fuse } from '../ranking/fuse.ts'
import { isForModel } from '../sentence-model/known-language.ts'
import type { QueryVector } from '../sentence-model/query-vectors.ts'
import { dimensions, similarity } from '../sentence-model/vector.ts'
import type { DocumentTable } from './tables.ts'

/** Candidates that the meaning can move; those behind them have few words of the query. */
const mostMoved = 100

export interface RerankOptions {
  query: string
  /** The languages that documents of the index are written in. */
  languages: readonly string[]
  queryVector: QueryVector
}

/** Documents by their words, best first → by words and meaning, as far as the model knows the languages of both. */
export async function rerank<One extends { row: Pick<DocumentTable, 'vector'>; score: number }>(
  ranked: One[],
  { query, languages, queryVector }: RerankOptions,
): Promise<One[]> {
  const first = ranked.slice(0, mostMoved)
  const vectors = first.map(({ row }) => vectorIn(row))
  if (vectors.filter((vector) => vector !== undefined).length < 2) return ranked
  if (!(await isForModel(query, languages))) return ranked
  const wanted = await queryVector(query)
  if (!wanted) return ranked
  const candidates = first.map((document, place) => {
    const vector = vectors[place]
    return { document, score: document.score, similarity: vector && similarity(wanted, vector) }
  })
  return [...fuse(candidates).map(({ document }) => document), ...ranked.slice(mostMoved)]
}

function vectorIn({ vector }: Pick<DocumentTable, 'vector'>): Int8Array | undefined {
  return vector?.length === dimensions
    ? new Int8Array(vector.buffer, vector.byteOffset, dimensions)
    : undefined
}
