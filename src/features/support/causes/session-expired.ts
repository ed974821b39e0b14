import { defineCause } from '../cause.ts'
import { failedWith, speaksOf } from '../support-case.ts'

export const sessionExpired = defineCause({
  name: 'session-expired',
  find(facts) {
    const { job } = facts
    const code = failedWith(facts, 'SESSION_DESTROYED', 'SESSION_NOT_FOUND', 'REPLAY_UNAVAILABLE')
    const isSession = job?.kind === 'browser' || job?.kind === 'interact'
    const hasEnded = facts.sessions.length > 0 && facts.sessions.every((session) => session.hasEnded)
    const isOfSteps =
      hasEnded &&
      speaksOf(facts, /interact|session|step|code|execut|click|prompt|error|fail|refus|\b4\d\d\b/i)
    const isAsked = speaksOf(
      facts,
      /\b410\b|session (was |is |has )?(been )?(destroyed|expired|gone|closed|ended|not found|timed? out)|SESSION_|no longer (there|alive)/i,
    )
    if (speaksOf(facts, /\b429\b|limit/i)) return undefined
    if (!code && !isAsked && !isOfSteps && !(isSession && job?.finishedAt !== null)) return undefined
    return {
      sureness: code ? 0.95 : isSession && job?.finishedAt !== null ? 0.9 : isAsked ? 0.85 : 0.75,
      diagnosis: `The browser session has ended${job?.finishedAt && isSession ? ` at ${job.finishedAt}` : ''}: its time (ttl) or its time without use (activityTtl) was over, or it was deleted.`,
      advice: 'Start a new session with a larger ttl and activityTtl; for interact, scrape the page again.',
      fixes: isSession ? [{ ttl: 600, activityTtl: 300 }] : [],
    }
  },
})
