import { defineCause } from '../cause.ts'
import { speaksOf } from '../support-case.ts'

export const wrongKey = defineCause({
  name: 'wrong-key',
  find(facts) {
    const isAsked = speaksOf(
      facts,
      /\b401\b|unauthori[sz]ed|(invalid|wrong|bad|revoked|missing|rejected) (api )?(key|token)|(key|token) (is |was )?(invalid|wrong|rejected|not accepted|revoked|refused)|authenticat/i,
    )
    if (!isAsked || facts.job?.error) return undefined
    return {
      sureness: 0.9,
      diagnosis:
        'A call without a valid key of this installation is refused with 401; the key of this question is valid, so the other call sent another one or none.',
      advice:
        'Send the header "Authorization: Bearer <key>" to this address (clients take it as apiKey beside apiUrl); npm run key -- create --team NAME makes a key, and a revoked one stays refused.',
    }
  },
})
