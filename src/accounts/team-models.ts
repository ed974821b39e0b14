import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { bestEffort } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import { Permits } from '../platform/permits.ts'
import type { LanguageModel, SharedModel, TokenMeter, Usage } from '../platform/ports/language-model.ts'
import type { Trace } from '../platform/trace/trace.ts'
import { addModelUsage, reserveModelTokens } from '../store/jobs/daily-usage.ts'
import type { Store } from '../store/schema.ts'

/** The language model on behalf of a team; undefined if none is configured. */
export type ModelOfTeam = (teamId: string, trace?: Trace) => LanguageModel | undefined

/** The model of the installation, counted for each team and within its budget. */
export function createTeamModels(
  model: SharedModel,
  deps: BudgetDeps & { concurrency: number },
): (teamId: string, trace?: Trace) => LanguageModel {
  const { concurrency } = deps
  // Teams that have no request under way do not wait for one team that has filled all permits.
  const permits = new Permits({ count: concurrency, spare: Math.ceil(concurrency / 4) })
  return (teamId, trace) => {
    const budget = createTokenBudget(deps, teamId)
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

export interface BudgetDeps {
  store: Store
  clock: Clock
  log: Pick<Log, 'warn'>
  /** Tokens of one team and day; 0: no limit. */
  tokensPerDay: number
}

export const dayMs = 86_400_000

/**
 * Counts what a team uses of the language model, and refuses more once its day is spent. The estimate of a call is set aside before
 * it, so that calls at the same time, in any process, do not all pass by the same count.
 */
export function createTokenBudget(
  { store, clock, log, tokensPerDay }: BudgetDeps,
  teamId: string,
): TokenMeter {
  return {
    async count(estimate, _signal, send) {
      const now = clock.now()
      const day = { teamId, day: Math.floor(now / dayMs) }
      const aside = tokensPerDay === 0 ? 0 : estimate
      const limit = { tokens: aside, most: tokensPerDay }
      if (tokensPerDay > 0 && !(await reserveModelTokens(store.query, day, limit)))
        throw spent(tokensPerDay, now)
      const settle = async (usage?: Usage) => {
        if (usage === undefined && aside === 0) return
        const { inputTokens, outputTokens } = usage ?? { inputTokens: 0, outputTokens: 0 }
        const used = { input: inputTokens - aside, output: outputTokens, calls: usage ? 1 : 0 }
        // The model has answered: a count that is not stored must not take the answer away.
        await bestEffort(log, 'tokens of a team could not be counted', () =>
          addModelUsage(store.query, day, used),
        )
      }
      const answer = await send().catch(async (thrown) => {
        await settle()
        throw thrown
      })
      await settle(answer.usage)
      return answer
    },
  }
}

function spent(limit: number, now: number): AppError {
  return new AppError('MODEL_BUDGET_SPENT', {
    phase: 'model',
    limit,
    retryAfter: Math.ceil((dayMs - (now % dayMs)) / 1000),
    reason: `the team has used its ${limit} tokens of today`,
    hint: 'Call again after 00:00 UTC, or ask the operator to raise MODEL_TOKENS_PER_TEAM_PER_DAY.',
  })
}
