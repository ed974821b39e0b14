import type { Trace } from '../base/trace/trace.ts'
import type { LanguageModel, SharedModel, TokenMeter } from '../ports/language-model.ts'
import { type BudgetNeeds, tokenBudget } from './token-budget.ts'

/** The language model on behalf of a team; undefined if none is configured. */
export type ModelOfTeam = (teamId: string, trace?: Trace) => LanguageModel | undefined

/** The model of the installation, counted for each team and within its budget. */
export function teamModels(
  model: SharedModel,
  needs: BudgetNeeds,
): (teamId: string, trace?: Trace) => LanguageModel {
  return (teamId, trace) => {
    const budget = tokenBudget(needs, teamId)
    return model.metered(trace ? noted(budget, trace) : budget, teamId)
  }
}

/** Notes every call that the meter counts. */
function noted(meter: TokenMeter, trace: Trace): TokenMeter {
  return {
    async begin(estimate) {
      const began = performance.now()
      const settle = await meter.begin(estimate)
      return async (usage) => {
        const ms = Math.round(performance.now() - began)
        const { inputTokens = 0, outputTokens = 0 } = usage ?? {}
        trace.note({ step: 'model', ms, inputTokens, outputTokens })
        await settle(usage)
      }
    },
  }
}
