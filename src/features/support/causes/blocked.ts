import { defineCause } from '../cause.ts'
import { lastVerdict, speaksOf, stepsOf, warnsOf } from '../support-case.ts'

/** Statuses by which sites refuse a visitor. */
const refusals = new Set([401, 403, 407, 429, 451, 503])

export const blocked = defineCause({
  name: 'blocked',
  find(facts) {
    const verdict = lastVerdict(facts)
    const refused = stepsOf(facts, 'fetch').find(({ status = 0 }) => refusals.has(status))
    const isChallenged = verdict?.kind === 'blocked' || warnsOf(facts, /blocked the request/)
    if (!isChallenged && !refused) return undefined
    const why = isChallenged ? (verdict?.reason ?? 'it shows a challenge') : `it answered ${refused?.status}`
    return {
      sureness: isChallenged ? 0.93 : refused?.status === 401 ? 0.7 : 0.86,
      diagnosis: `The site refuses automated visitors: ${why}.`,
      advice:
        'Use proxy: "enhanced", give the headers or cookies of a visitor, or fetch more slowly; some sites need a residential proxy, which the operator sets with PROXY_ENHANCED_URL.',
      fixes: [
        { proxy: 'enhanced' },
        { proxy: 'enhanced', waitFor: 3000 },
        ...(speaksOf(facts, /mobile/i) ? [{ mobile: true }] : []),
      ],
    }
  },
})
