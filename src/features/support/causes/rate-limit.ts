import { defineCause } from '../cause.ts'
import { speaksOf, stepsOf } from '../support-case.ts'

export const rateLimit = defineCause({
  name: 'rate-limit',
  find(facts) {
    const { callsThisMinute, callsPerMinute } = facts.account
    const isAsked = speaksOf(facts, /\b429\b|rate[- ]?limit|RATE_LIMITED|too many (calls|requests)|throttl/i)
    if (!isAsked || speaksOf(facts, /session/i)) return undefined
    const isOfSite = stepsOf(facts, 'fetch').some(({ status }) => status === 429)
    const isNear = callsThisMinute >= callsPerMinute * 0.8
    return {
      sureness: isOfSite ? 0.5 : isNear ? 0.985 : 0.9,
      diagnosis: `The team may make ${callsPerMinute} calls per minute, all of its keys together; ${callsThisMinute} were counted in this one.`,
      advice:
        'Wait for the seconds in the header Retry-After, or put many pages into one batch or crawl, which counts as one call; the operator raises RATE_PER_MINUTE.',
    }
  },
})
