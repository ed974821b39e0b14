import { type Causes, whenFailedWith } from '../cause.ts'
import { failedWith, jobErrorOf, mentions, optionOf, stepsOf } from '../support-case.ts'

export const callCauses: Causes = {
  timeout(facts) {
    const code = failedWith(facts, 'SCRAPE_TIMEOUT', 'MAP_TIMEOUT', 'INTERACT_TIMEOUT')
    if (!code && !(facts.job?.error && mentions(facts, /time(d)? ?out/i))) return undefined
    const timeoutMs = Number(optionOf(facts, 'timeout') ?? 60_000)
    const phase = String(facts.job?.error?.detail.phase ?? 'fetch')
    const waitForMs = Number(optionOf(facts, 'waitFor') ?? 0)
    const longerMs = Math.min(300_000, Math.max(30_000, timeoutMs * 4))
    return {
      confidence: code ? 0.95 : 0.5,
      diagnosis: `The ${timeoutMs} ms of the call ended in the phase ${phase}${phases[phase] ?? ''}.`,
      advice:
        waitForMs > timeoutMs / 2
          ? 'Lower waitFor or raise timeout.'
          : 'Raise timeout, or ask for less (fewer actions and captures).',
      fixes: [
        { timeout: longerMs },
        ...(phase === 'browser' ? [{ timeout: longerMs, fastMode: true }] : []),
        ...(waitForMs > 0 ? [{ timeout: longerMs, waitFor: 0 }] : []),
      ],
    }
  },

  'action-failed': whenFailedWith(['SCRAPE_ACTION_ERROR'], (facts) => ({
    confidence: 0.95,
    diagnosis: jobErrorOf(facts, 'One of the actions failed.'),
    advice:
      'Wait for the element before the action ({"type": "wait", "selector": …}), and check the selector against the rawHtml of the page.',
  })),

  'cache-miss'(facts) {
    const code = failedWith(facts, 'SCRAPE_NO_CACHED_DATA', 'SCRAPE_LOCKDOWN_CACHE_MISS')
    if (!code) return undefined
    if (optionOf(facts, 'lockdown') === true || code === 'SCRAPE_LOCKDOWN_CACHE_MISS')
      return {
        confidence: 0.97,
        diagnosis: 'lockdown serves from the cache alone, and the cache has no such page.',
        advice: 'Scrape the page once without lockdown; later calls with lockdown find it.',
        fixes: [{ lockdown: false }],
      }
    return {
      confidence: 0.97,
      diagnosis: 'minAge serves from the cache alone, and the cache has no copy that is old enough.',
      advice: 'Leave minAge out to have the page fetched.',
      // A value of null removes the option.
      fixes: [{ minAge: null }],
    }
  },

  'stale-cache'(facts) {
    const hit = stepsOf(facts, 'cache').find(({ result }) => result === 'hit')
    if (!hit) return undefined
    const minutes = Math.round((facts.now - (hit.fetchedAt ?? facts.now)) / 60_000)
    const isMentioned = mentions(
      facts,
      /\bold\b|stale|outdated|out of date|yesterday|cache|not (up to date|updated|current|fresh)|(has|have) changed|previous|still (says|shows|has)|version|publish|again|same (result|content|data)|update|latest|newest|fresh/i,
    )
    return {
      confidence: isMentioned ? 0.93 : 0.45,
      diagnosis: `The page came from the cache, where it was put ${minutes} minutes before this question.`,
      advice: 'maxAge: 0 fetches it anew; a smaller maxAge accepts only younger copies.',
      fixes: [{ maxAge: 0 }],
    }
  },

  'session-expired'(facts) {
    const { job, sessions } = facts
    const code = failedWith(facts, 'SESSION_DESTROYED', 'SESSION_NOT_FOUND', 'REPLAY_UNAVAILABLE')
    const isSession = job?.kind === 'browser' || job?.kind === 'interact'
    const isEndedSession = isSession && job?.finishedAt !== null
    const mayConcernEndedSession =
      sessions.length > 0 &&
      sessions.every(({ hasEnded }) => hasEnded) &&
      mentions(facts, /interact|session|step|code|execut|click|prompt|error|fail|refus|\b4\d\d\b/i)
    const isMentioned = mentions(
      facts,
      /\b410\b|session (was |is |has )?(been )?(destroyed|expired|gone|closed|ended|not found|timed? out)|SESSION_|no longer (there|alive)/i,
    )
    if (mentions(facts, /\b429\b|limit/i)) return undefined
    if (!code && !isMentioned && !mayConcernEndedSession && !isEndedSession) return undefined
    return {
      confidence: code ? 0.95 : isEndedSession ? 0.9 : isMentioned ? 0.85 : 0.75,
      diagnosis: `The browser session has ended${job?.finishedAt && isSession ? ` at ${job.finishedAt}` : ''}: its time (ttl) or its time without use (activityTtl) was over, or it was deleted.`,
      advice: 'Start a new session with a larger ttl and activityTtl; for interact, scrape the page again.',
      fixes: isSession ? [{ ttl: 600, activityTtl: 300 }] : [],
    }
  },

  'profile-in-use'(facts) {
    if (!failedWith(facts, 'PROFILE_IN_USE')) return undefined
    const { name } = Object(optionOf(facts, 'profile'))
    return {
      confidence: 0.97,
      diagnosis: 'Another call or session is saving the same profile, and only one may do so at a time.',
      advice: 'Wait until that session ends, or only load the profile with saveChanges: false.',
      fixes: name === undefined ? [] : [{ profile: { name, saveChanges: false } }],
    }
  },

  'webhook-failed'(facts) {
    const deliveries = facts.job?.deliveries ?? []
    const failing = deliveries.filter(({ state, attempts }) => state !== 'delivered' && attempts.length > 0)
    const isMentioned = mentions(facts, /webhook|callback|deliver(y|ies|ed)|signature/i)
    if (failing.length === 0 && !isMentioned) return undefined
    const last = failing[0]?.attempts.at(-1)
    const reason =
      last?.status === undefined
        ? (last?.error ?? 'nothing was sent')
        : `the receiver answered ${last.status}`
    const isSignature = mentions(facts, /signature|secret|verif/i)
    return {
      confidence: failing.length > 0 ? (isMentioned ? 0.96 : 0.7) : deliveries.length > 0 ? 0.7 : 0.8,
      diagnosis:
        failing.length > 0
          ? `${failing.length} of ${deliveries.length} deliveries have not arrived: ${reason.slice(0, 200)}.`
          : deliveries.length > 0
            ? `All ${deliveries.length} deliveries of the job were answered by the receiver with a status of success.`
            : 'No delivery is on record: the job was started without a webhook, or its events were not asked for.',
      advice: isSignature
        ? 'The signature is the HMAC-SHA256 of the raw body with the secret of the team (WEBHOOK_SECRET otherwise): compare bytes before any parsing.'
        : 'GET /v2/webhooks/deliveries lists every attempt, POST /v2/webhooks/deliveries/{id}/replay sends one again, and POST /v2/webhooks/test tries a receiver; private addresses are refused unless the operator allows them.',
    }
  },
}

const phases: Record<string, string> = {
  fetch: ', while the site was answering',
  browser: ', while the page was open in the browser',
  render: ', while the formats were made',
  read: ', while the page was read',
  convert: ', while the file was converted',
  cache: ', while the cache was asked',
}
