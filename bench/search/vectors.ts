import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { silentLog } from '../../src/platform/log.ts'
import { claimVectors, saveVectors } from '../../src/search/index/make-vectors.ts'
import { createModelProcess } from '../../src/search/sentence-model/model-process.ts'
import type { SentenceModel } from '../../src/search/sentence-model/open-model.ts'
import type { BenchStore } from './stores.ts'

export interface BenchVectors {
  /** Share of documents with a vector. */
  share: number
  /** Undefined if documents are ranked only by words. */
  queryVector?: (text: string) => Promise<Int8Array>
}

/** Folder of the installed sentence model; `SEARCH_SENTENCE_MODEL=off` measures without it. */
const defaultFolder = join(import.meta.dirname, '..', '..', '.prepared', 'sentence-model')

/** Computes the vectors of all documents. The service does this in the background. */
export async function computeAllVectors({ store }: BenchStore): Promise<BenchVectors> {
  const folder = process.env.SEARCH_SENTENCE_MODEL ?? defaultFolder
  if (!existsSync(folder)) return { share: 0 }
  const model = startModel(folder)
  for (;;) {
    const claim = { now: Date.now(), searchedSince: 0, afterIndex: '' }
    const { tasks, indexId } = await claimVectors(store, claim)
    if (indexId === undefined) break
    const computed = await Promise.all(
      tasks.map(async (task) => ({ ...task, vector: Uint8Array.from(await model.embed(task.text)) })),
    )
    await saveVectors(store.query, { computed, released: [] })
  }
  const { all, ready } = await store.query
    .selectFrom('search_documents')
    .select((row) => [row.fn.countAll<number>().as('all'), row.fn.count<number>('vector').as('ready')])
    .executeTakeFirstOrThrow()
  return { share: Number(ready) / Math.max(Number(all), 1), queryVector: model.embed }
}

/** Starts the model in a separate process, like the service. */
function startModel(folder: string): SentenceModel {
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
