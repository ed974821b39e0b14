import type { TokenMeter } from '../../ports/language-model.ts'
import type { AnsweringModel } from './answering-model.ts'
import { requestTokens } from './request-tokens.ts'

/** A model whose every answer is counted, also one that turns out to be wrong. */
export function metered(model: AnsweringModel, meter: TokenMeter): AnsweringModel {
  return {
    ...model,
    answer: (request, signal) =>
      meter.count(requestTokens(request), signal, () => model.answer(request, signal)),
  }
}
