import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeVectors } from '../../src/search/index/make-vectors.ts'
import { lazyModel } from '../../src/search/sentence-model/lazy-model.ts'
import { type QueryVector, queryVectors } from '../../src/search/sentence-model/query-vectors.ts'
import type { BenchStore } from './stores.ts'

export interface BenchVectors {
  /** The share of documents that have one. */
  share: number
  /** Undefined where documents are ranked by words alone. */
  queryVector?: QueryVector
}

/** What preparation has brought; `SEARCH_SENTENCE_MODEL=off` measures words alone. */
const prepared = join(import.meta.dirname, '..', '..', '.prepared', 'sentence-model')

/** Makes the vectors of all documents, which the service does behind the back of everybody. */
export async function makeAllVectors({ store }: BenchStore): Promise<BenchVectors> {
  const folder = process.env.SEARCH_SENTENCE_MODEL ?? prepared
  const model = existsSync(folder) ? lazyModel(folder) : undefined
  const loaded = await model?.get()
  if (!model || !loaded) return { share: 0 }
  const wanted = { now: Date.now(), pause: async () => true }
  for (let isMore = true; isMore; ) isMore = await makeVectors(store, loaded, wanted)
  const { all, ready } = await store.query
    .selectFrom('search_documents')
    .select((row) => [row.fn.countAll<number>().as('all'), row.fn.count<number>('vector').as('ready')])
    .executeTakeFirstOrThrow()
  return { share: Number(ready) / Math.max(Number(all), 1), queryVector: queryVectors(model) }
}
