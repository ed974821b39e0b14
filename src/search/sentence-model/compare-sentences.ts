import type { Log } from '../../platform/log.ts'
import type { PermitOwner } from '../../platform/permits.ts'
import { isForModel } from './known-language.ts'
import type { ModelProcess } from './model-process.ts'
import { similarity } from './open-model.ts'

/** On behalf of a team: how alike a query and sentences are, from -1 to 1; undefined where there was no time. */
export type SentenceComparison = (
  who: PermitOwner,
) => (query: string, texts: readonly string[], signal: AbortSignal) => Promise<number[] | undefined>

const maxTexts = 64
const maxTextLength = 2000
/** Without an answer in this time, words alone decide. */
const withinMs = 8000

export function createSentenceComparison(
  model: Pick<ModelProcess, 'embed'>,
  log: Pick<Log, 'warn'>,
): SentenceComparison {
  return (who) => async (query, texts, signal) => {
    signal.throwIfAborted()
    if (!(await isForModel(query, []))) return undefined
    const timed = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
    const compared = [query, ...texts.slice(0, maxTexts)].map((text) => text.slice(0, maxTextLength))
    try {
      const outcome = await model.embed(compared, { who, signal: timed })
      if ('vectors' in outcome) return similarities(outcome.vectors)
      log.warn({ ...outcome }, 'sentences could not be compared by their meaning')
    } catch (thrown) {
      signal.throwIfAborted()
      if (!timed.aborted) throw thrown
    }
    return undefined
  }
}

/** Between the first vector and each of the others. */
function similarities([first, ...others]: readonly Int8Array[]): number[] {
  return first ? others.map((other) => similarity(first, other)) : []
}
