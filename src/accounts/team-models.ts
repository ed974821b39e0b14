import { Permits } from '../base/permits.ts'
import type { Trace } from '../base/trace/trace.ts'
import type { LanguageModel, SharedModel, TokenMeter, Usage } from '../ports/language-model.ts'
import { type BudgetNeeds, tokenBudget } from './token-budget.ts'

/** The language model on behalf of a team; undefined if none is configured. */
export type ModelOfTeam = (teamId: string, trace?: Trace) => LanguageModel | undefined

/** The model of the installation, counted for each team and within its budget. */
export function teamModels(
  model: SharedModel,
  needs: BudgetNeeds & { concurrency: number },
): (teamId: string, trace?: Trace) => LanguageModel {
  const { concurrency } = needs
  // Teams that have no request under way do not wait for one team that has filled all permits.
  const permits = new Permits({ count: concurrency, spare: Math.ceil(concurrency / 4) })
  return (teamId, trace) => {
    const budget = tokenBudget(needs, teamId)
    return model.metered(inTurn(permits, teamId, trace ? noted(budget, trace) : budget), teamId)
  }
}

/** Holds one permit for each request to the model, shared fairly between teams. */
function inTurn(permits: Permits, team: string, meter: TokenMeter): TokenMeter {
  return {
    count: (estimate, signal, send) =>
      permits.run({ team }, signal, () => meter.count(estimate, signal, send)),
  }
}

/** Notes every call that the meter counts. */
function noted(meter: TokenMeter, trace: Trace): TokenMeter {
  return {
    count: (estimate, signal, send) =>
      meter.count(estimate, signal, async () => {
        const began = performance.now()
        let usage: Usage = { inputTokens: 0, outputTokens: 0 }
        try {
          const answer = await send()
          usage = answer.usage
          return answer
        } finally {
          trace.note({ step: 'model', ms: Math.round(performance.now() - began), ...usage })
        }
      }),
  }
}
