import type { ComparedTexts } from '../thread/messages.ts'
import { isForModel } from './known-language.ts'
import type { LazyModel } from './lazy-model.ts'
import type { QueryVector } from './query-vectors.ts'
import { similarity } from './vector.ts'

/** Compares texts with a query, one after the other, so that searches have their turn between them. */
export function textComparison(model: LazyModel, queryVector: QueryVector) {
  return async ({ query, texts, withinMs }: ComparedTexts): Promise<number[] | undefined> => {
    const started = performance.now()
    if (!(await isForModel(query, []))) return undefined
    const loaded = await model.get()
    const wanted = await queryVector(query)
    if (!loaded || !wanted) return undefined
    const found: number[] = []
    for (const text of texts) {
      if (performance.now() - started > withinMs) return undefined
      found.push(similarity(wanted, await loaded.embed(text)))
    }
    return found
  }
}
