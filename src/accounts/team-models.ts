import { type FairPlaces, fairPlaces } from '../base/fair-places.ts'
import type { Trace } from '../base/trace/trace.ts'
import type { LanguageModel, SharedModel, TokenMeter } from '../ports/language-model.ts'
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
  const permits = fairPlaces({ places: concurrency, spare: Math.ceil(concurrency / 4) })
  return (teamId, trace) => {
    const budget = tokenBudget(needs, teamId)
    return model.metered(inTurn(permits, teamId, trace ? noted(budget, trace) : budget), teamId)
  }
}

/** Holds one permit for each request to the model, shared fairly between teams. */
function inTurn(permits: FairPlaces, team: string, meter: TokenMeter): TokenMeter {
  return {
    async begin(estimate, signal) {
      const permit = await permits.enter({ team }, signal)
      try {
        const settle = await meter.begin(estimate, signal)
        return (usage) => settle(usage).finally(permit.leave)
      } catch (thrown) {
        permit.leave()
        throw thrown
      }
    },
  }
}

/** Notes every call that the meter counts. */
function noted(meter: TokenMeter, trace: Trace): TokenMeter {
  return {
    async begin(estimate, signal) {
      const began = performance.now()
      const settle = await meter.begin(estimate, signal)
      return async (usage) => {
        const ms = Math.round(performance.now() - began)
        const { inputTokens = 0, outputTokens = 0 } = usage ?? {}
        trace.note({ step: 'model', ms, inputTokens, outputTokens })
        await settle(usage)
      }
    },
  }
}
