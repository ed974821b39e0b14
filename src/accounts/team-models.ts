import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { bestEffort } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import { Permits } from '../platform/permits.ts'
import type { LanguageModel, SharedModel, TokenMeter, Usage } from '../platform/ports/language-model.ts'
import type { Trace } from '../platform/trace/trace.ts'
import { addModelUsage, reserveModelTokens } from '../store/jobs/daily-usage.ts'
import type { Store } from '../store/schema.ts'

export type ModelOfTeam = (teamId: string, trace?: Trace) => LanguageModel | undefined

export function createTeamModels(
  model: SharedModel,
  deps: BudgetDeps & { concurrency: number },
): (teamId: string, trace?: Trace) => LanguageModel {
  const { concurrency } = deps
  // Spare permits let a team without requests in flight start immediately, even if another team uses all others.
  const permits = new Permits({ count: concurrency, spare: Math.ceil(concurrency / 4) })
  return (teamId, trace) => {
    const budget = createTokenBudget(deps, teamId)
    return model.metered(withPermits(permits, teamId, trace ? traced(budget, trace) : budget), teamId)
  }
}

function withPermits(permits: Permits, team: string, meter: TokenMeter): TokenMeter {
  return {
    sendCounted: (estimate, signal, send) =>
      permits.run({ team }, signal, () => meter.sendCounted(estimate, signal, send)),
  }
}

function traced(meter: TokenMeter, trace: Trace): TokenMeter {
  return {
    sendCounted: (estimate, signal, send) =>
      meter.sendCounted(estimate, signal, async () => {
        const startedAt = performance.now()
        let usage: Usage = { inputTokens: 0, outputTokens: 0 }
        try {
          const response = await send()
          usage = response.usage
          return response
        } finally {
          trace.note({ step: 'model', ms: Math.round(performance.now() - startedAt), ...usage })
        }
      }),
  }
}

export interface BudgetDeps {
  store: Store
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Token budget per team and day; 0 for no limit. */
  tokensPerDay: number
}

export const dayMs = 86_400_000

/** The estimate of a call is reserved first, so concurrent calls of any process cannot exceed the budget. */
export function createTokenBudget(deps: BudgetDeps, teamId: string): TokenMeter {
  const { store, clock, log, tokensPerDay } = deps
  return {
    async sendCounted(estimate, _signal, send) {
      const now = clock.now()
      const day = { teamId, day: Math.floor(now / dayMs) }
      const reserved = tokensPerDay === 0 ? 0 : estimate
      const limit = { tokens: reserved, max: tokensPerDay }
      if (tokensPerDay > 0 && !(await reserveModelTokens(store.query, day, limit)))
        throw budgetSpentError(tokensPerDay, now)
      const settle = async (usage?: Usage) => {
        if (usage === undefined && reserved === 0) return
        const { inputTokens, outputTokens } = usage ?? { inputTokens: 0, outputTokens: 0 }
        const used = { input: inputTokens - reserved, output: outputTokens, calls: usage ? 1 : 0 }
        // The model has already responded, so an error while the usage is stored must not discard the response.
        const count = () => addModelUsage(store.query, day, used)
        await bestEffort(log, 'tokens of a team could not be counted', count)
      }
      const response = await send().catch(async (thrown) => {
        await settle()
        throw thrown
      })
      await settle(response.usage)
      return response
    },
  }
}

function budgetSpentError(limit: number, now: number): AppError {
  return new AppError('MODEL_BUDGET_SPENT', {
    phase: 'model',
    limit,
    retryAfter: Math.ceil((dayMs - (now % dayMs)) / 1000),
    reason: `the team has used its ${limit} tokens of today`,
    hint: 'Call again after 00:00 UTC, or ask the operator to raise MODEL_TOKENS_PER_TEAM_PER_DAY.',
  })
}
