import type { TokenMeter, Usage } from '../../ports/language-model.ts'
import type { AnsweringModel } from './answering-model.ts'
import { requestTokens } from './request-tokens.ts'

/** A model whose every answer is counted, also one that turns out to be wrong. */
export function metered(model: AnsweringModel, meter: TokenMeter): AnsweringModel {
  return {
    ...model,
    async answer(request, signal) {
      const settle = await meter.begin(requestTokens(request), signal)
      let usage: Usage | undefined
      try {
        const answer = await model.answer(request, signal)
        usage = answer.usage
        return answer
      } finally {
        await settle(usage)
      }
    },
  }
}
