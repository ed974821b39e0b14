import { defineCause } from '../cause.ts'
import { failedWith, speaksOf, stepsOf } from '../support-case.ts'

export const concurrencyLimit = defineCause({
  name: 'concurrency-limit',
  find(facts) {
    const { account } = facts
    const waited = Math.max(0, ...stepsOf(facts, 'queue').map(({ waitedMs }) => waitedMs))
    const isTimedOut = failedWith(facts, 'CONCURRENCY_QUEUE_TIMEOUT') !== undefined
    const isAsked = speaksOf(facts, /concurren|CONCURRENCY_QUEUE_TIMEOUT|slots?\b|parallel|at once|queue/i)
    const isFull = account.running >= account.maxConcurrency && account.waiting > 0
    const isOfSessions =
      speaksOf(facts, /session/i) &&
      speaksOf(facts, /\b429\b|limit|another|SESSION_LIMIT_REACHED|too many|maximum/i)
    if (isOfSessions) return sessions
    if (!isTimedOut && waited < 2000 && !(isAsked && isFull)) return undefined
    return {
      sureness: isTimedOut ? 0.96 : isAsked ? 0.85 : 0.55,
      diagnosis: `The call waited for one of the ${account.maxConcurrency} slots of the team, which other calls held.`,
      advice:
        'Make fewer calls at once, give a larger timeout, or use POST /v2/batch/scrape, which waits by itself; the operator raises TEAM_CONCURRENCY.',
      fixes: [{ timeout: 180_000 }],
    }
  },
})

const sessions = {
  sureness: 0.93,
  diagnosis: 'The team has as many browser sessions open as it may have at the same time.',
  advice:
    'End one with DELETE /v2/browser/{id} (GET /v2/browser lists them), or wait until one ends by itself; the operator raises TEAM_BROWSERS.',
}
