import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '../../src/platform/log.ts'
import { claimVectors, saveVectors } from '../../src/search/index/make-vectors.ts'
import { createModelProcess } from '../../src/search/sentence-model/model-process.ts'
import type { SentenceModel } from '../../src/search/sentence-model/open-model.ts'
import type { BenchStore } from './stores.ts'

export interface BenchVectors {
  /** The share of documents that have one. */
  share: number
  /** Undefined where documents are ranked by words alone. */
  queryVector?: (text: string) => Promise<Int8Array>
}

/** What preparation has brought; `SEARCH_SENTENCE_MODEL=off` measures words alone. */
const prepared = join(import.meta.dirname, '..', '..', '.prepared', 'sentence-model')

/** Makes the vectors of all documents, which the service does behind the back of everybody. */
export async function makeAllVectors({ store }: BenchStore): Promise<BenchVectors> {
  const folder = process.env.SEARCH_SENTENCE_MODEL ?? prepared
  if (!existsSync(folder)) return { share: 0 }
  const model = sentenceModel(folder)
  for (;;) {
    const wanted = { now: Date.now(), searchedSince: 0, afterIndex: '' }
    const { tasks, indexId } = await claimVectors(store, wanted)
    if (indexId === undefined) break
    const made = await Promise.all(
      tasks.map(async (task) => ({ ...task, vector: Uint8Array.from(await model.embed(task.text)) })),
    )
    await saveVectors(store.query, { made, unmade: [] })
  }
  const { all, ready } = await store.query
    .selectFrom('search_documents')
    .select((row) => [row.fn.countAll<number>().as('all'), row.fn.count<number>('vector').as('ready')])
    .executeTakeFirstOrThrow()
  return { share: Number(ready) / Math.max(Number(all), 1), queryVector: model.embed }
}

/** The model in its own process, as the service runs it. */
function sentenceModel(folder: string): SentenceModel {
  const model = createModelProcess({ folder }, silentLog)
  const { signal } = new AbortController()
  return {
    async embed(text) {
      const outcome = await model.embed([text], { who: { team: 'bench' }, signal })
      const [vector] = 'vectors' in outcome ? outcome.vectors : []
      if (!vector) throw new Error('The sentence model does not run here.')
      return vector
    },
  }
}
