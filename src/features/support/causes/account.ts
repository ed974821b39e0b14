import type { Causes } from '../cause.ts'
import { failedWith, mentions, stepsOf } from '../support-case.ts'

export const accountCauses: Causes = {
  'wrong-key'(facts) {
    const isMentioned = mentions(
      facts,
      /\b401\b|unauthori[sz]ed|(invalid|wrong|bad|revoked|missing|rejected) (api )?(key|token)|(key|token) (is |was )?(invalid|wrong|rejected|not accepted|revoked|refused)|authenticat/i,
    )
    if (!isMentioned || facts.job?.error) return undefined
    return {
      confidence: 0.9,
      diagnosis:
        'A call without a valid key of this installation is refused with 401; the key of this question is valid, so the other call sent another one or none.',
      advice:
        'Send the header "Authorization: Bearer <key>" to this address (clients take it as apiKey beside apiUrl); npm run key -- create --team NAME makes a key, and a revoked one stays refused.',
    }
  },

  'no-credits'(facts) {
    const { remainingCredits } = facts.account
    const skipped = facts.job?.pages?.skipped.credits ?? 0
    const hasFailed = failedWith(facts, 'CREDITS_EXHAUSTED') !== undefined || skipped > 0
    const isMentioned = mentions(facts, /\b402\b|credit|payment|CREDITS_EXHAUSTED/i)
    const isEmpty = remainingCredits !== null && remainingCredits < 5
    if (!hasFailed && !isEmpty && !(isMentioned && remainingCredits !== null)) return undefined
    return {
      confidence: hasFailed || (isEmpty && isMentioned) ? 0.96 : isEmpty ? 0.9 : 0.6,
      diagnosis: `The team has ${remainingCredits ?? 0} credits left${skipped > 0 ? `, so ${skipped} pages were not taken` : ''}.`,
      advice:
        'Ask for less (a lower limit, fewer formats), or let the operator grant credits with npm run key.',
    }
  },

  'rate-limit'(facts) {
    const { callsThisMinute, callsPerMinute } = facts.account
    const isMentioned = mentions(
      facts,
      /\b429\b|rate[- ]?limit|RATE_LIMITED|too many (calls|requests)|throttl/i,
    )
    if (!isMentioned || mentions(facts, /session/i)) return undefined
    const isFromSite = stepsOf(facts, 'fetch').some(({ status }) => status === 429)
    const isNear = callsThisMinute >= callsPerMinute * 0.8
    return {
      confidence: isFromSite ? 0.5 : isNear ? 0.985 : 0.9,
      diagnosis: `The team may make ${callsPerMinute} calls per minute, all of its keys together; ${callsThisMinute} were counted in this one.`,
      advice:
        'Wait for the seconds in the header Retry-After, or put many pages into one batch or crawl, which counts as one call; the operator raises RATE_PER_MINUTE.',
    }
  },

  'concurrency-limit'(facts) {
    const { account } = facts
    const waited = Math.max(0, ...stepsOf(facts, 'queue').map(({ waitedMs }) => waitedMs))
    const isTimedOut = failedWith(facts, 'CONCURRENCY_QUEUE_TIMEOUT') !== undefined
    const isMentioned = mentions(
      facts,
      /concurren|CONCURRENCY_QUEUE_TIMEOUT|slots?\b|parallel|at once|queue/i,
    )
    const isFull = account.running >= account.maxConcurrency && account.waiting > 0
    const sessionLimit = /\b429\b|limit|another|SESSION_LIMIT_REACHED|too many|maximum/i
    if (mentions(facts, /session/i) && mentions(facts, sessionLimit)) return sessionLimitFinding
    if (!isTimedOut && waited < 2000 && !(isMentioned && isFull)) return undefined
    return {
      confidence: isTimedOut ? 0.96 : isMentioned ? 0.85 : 0.55,
      diagnosis: `The call waited for one of the ${account.maxConcurrency} slots of the team, which other calls held.`,
      advice:
        'Make fewer calls at once, give a larger timeout, or use POST /v2/batch/scrape, which waits by itself; the operator raises TEAM_CONCURRENCY.',
      fixes: [{ timeout: 180_000 }],
    }
  },
}

const sessionLimitFinding = {
  confidence: 0.93,
  diagnosis: 'The team has as many browser sessions open as it may have at the same time.',
  advice:
    'End one with DELETE /v2/browser/{id} (GET /v2/browser lists them), or wait until one ends by itself; the operator raises TEAM_BROWSERS.',
}
