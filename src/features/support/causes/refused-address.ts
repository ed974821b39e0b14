import { defineCause } from '../cause.ts'
import { failedWith, speaksOf } from '../support-case.ts'

export const refusedAddress = defineCause({
  name: 'refused-address',
  find(facts) {
    const isMet = failedWith(facts, 'TARGET_FORBIDDEN') !== undefined
    const isAsked = speaksOf(
      facts,
      /TARGET_FORBIDDEN|private (address|network|ip)|localhost|127\.0\.0\.1|192\.168\.|\b10\.\d|internal (host|site|network)|intranet/i,
    )
    if (!isMet && !isAsked) return undefined
    return {
      sureness: isMet ? 0.97 : 0.7,
      diagnosis:
        'The address is private, local or reserved, and this service contacts no such addresses, so that nobody can reach the network behind it.',
      advice: 'The operator can allow an address or a range with ALLOW_PRIVATE_NETWORK.',
    }
  },
})
