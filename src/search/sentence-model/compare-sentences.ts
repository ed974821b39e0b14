import type { Log } from '../../platform/log.ts'
import type { PermitOwner } from '../../platform/permits.ts'
import { isSupportedByModel } from './known-language.ts'
import type { ModelProcess } from './model-process.ts'
import { similarity } from './open-model.ts'

/** Returns the similarities of a query and sentences, from -1 to 1; undefined if the model is unavailable or too slow. */
export type SentenceComparison = (
  who: PermitOwner,
) => (query: string, texts: readonly string[], signal: AbortSignal) => Promise<number[] | undefined>

const maxTexts = 64
const maxTextLength = 2000
/** Without vectors, sentences are ranked by words only. */
const timeoutMs = 8000

export function createSentenceComparison(
  model: Pick<ModelProcess, 'embed'>,
  log: Pick<Log, 'warn'>,
): SentenceComparison {
  return (who) => async (query, texts, signal) => {
    signal.throwIfAborted()
    if (!(await isSupportedByModel(query, []))) return undefined
    const timedSignal = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const truncated = [query, ...texts.slice(0, maxTexts)].map((text) => text.slice(0, maxTextLength))
    try {
      const outcome = await model.embed(truncated, { who, signal: timedSignal })
      if ('vectors' in outcome) {
        const [first, ...others] = outcome.vectors
        return first ? others.map((other) => similarity(first, other)) : []
      }
      log.warn({ ...outcome }, 'sentences could not be compared by their meaning')
    } catch (error) {
      signal.throwIfAborted()
      if (!timedSignal.aborted) throw error
    }
    return undefined
  }
}
