import { fuse } from '../ranking/fuse.ts'
import { isForModel } from '../sentence-model/known-language.ts'
import { dimensions, similarity } from '../sentence-model/vector.ts'
import type { QueryVector } from './query-vector.ts'
import type { DocumentTable } from './tables.ts'

/** Candidates that the meaning can move; those behind them have few words of the query. */
const mostMoved = 100

export interface RerankNeeds {
  /** The vectors of documents, by their numbers. */
  readVectors(numbers: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>>
  queryVector: QueryVector
}

export interface RerankOptions {
  query: string
  /** The languages that documents of the index are written in. */
  languages: readonly string[]
}

/** Documents by their words, best first → by words and meaning, as far as the model knows the languages of both. */
export async function rerank<One extends { row: Pick<DocumentTable, 'number'>; score: number }>(
  { readVectors, queryVector }: RerankNeeds,
  ranked: One[],
  { query, languages }: RerankOptions,
): Promise<One[]> {
  if (!(await isForModel(query, languages))) return ranked
  const first = ranked.slice(0, mostMoved)
  const read = await readVectors(first.map(({ row }) => row.number))
  const vectors = first.map(({ row }) => vectorIn(read.get(row.number)))
  if (vectors.filter((vector) => vector !== undefined).length < 2) return ranked
  const wanted = await queryVector(query)
  if (!wanted) return ranked
  const candidates = first.map((document, place) => {
    const vector = vectors[place]
    return { document, score: document.score, similarity: vector && similarity(wanted, vector) }
  })
  return [...fuse(candidates).map(({ document }) => document), ...ranked.slice(mostMoved)]
}

/** A vector as it is kept; undefined for the empty one of a text that could not be read. */
export function vectorIn(vector: Uint8Array | undefined): Int8Array | undefined {
  return vector?.length === dimensions
    ? new Int8Array(vector.buffer, vector.byteOffset, dimensions)
    : undefined
}
