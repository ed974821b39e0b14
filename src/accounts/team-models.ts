import type { LanguageModel, SharedModel } from '../ports/language-model.ts'
import { type BudgetNeeds, tokenBudget } from './token-budget.ts'

/** The language model on behalf of a team; undefined if none is configured. */
export type ModelOfTeam = (teamId: string) => LanguageModel | undefined

/** The model of the installation, counted for each team and within its budget. */
export function teamModels(model: SharedModel, needs: BudgetNeeds): (teamId: string) => LanguageModel {
  return (teamId) => model.metered(tokenBudget(needs, teamId))
}
