import { defineCause } from '../cause.ts'
import { speaksOf } from '../support-case.ts'

export const rateLimit = defineCause({
  name: 'rate-limit',
  find(facts) {
    const { callsThisMinute, callsPerMinute } = facts.account
    const isAsked = speaksOf(facts, /\b429\b|rate[- ]?limit|RATE_LIMITED|too many (calls|requests)|throttl/i)
    if (!isAsked) return undefined
    const isNear = callsThisMinute >= callsPerMinute * 0.8
    return {
      sureness: isNear ? 0.95 : facts.job ? 0.6 : 0.85,
      diagnosis: `The team may make ${callsPerMinute} calls per minute, all of its keys together; ${callsThisMinute} were counted in this one.`,
      advice:
        'Wait for the seconds in the header Retry-After, or put many pages into one batch or crawl, which counts as one call; the operator raises RATE_PER_MINUTE.',
    }
  },
})
