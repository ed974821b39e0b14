import { defineCause } from '../cause.ts'
import { failedWith, optionOf } from '../support-case.ts'

export const tlsError = defineCause({
  name: 'tls-error',
  find(facts) {
    if (!failedWith(facts, 'SCRAPE_SSL_ERROR')) return undefined
    const isChecked = optionOf(facts, 'skipTlsVerification') !== true
    return {
      sureness: 0.96,
      diagnosis: `The TLS connection to the site failed${isChecked ? ': its certificate is not valid' : ''}.`,
      advice: isChecked
        ? 'skipTlsVerification: true accepts such a certificate.'
        : 'The site offers no TLS that can be used; try its address with http, or ask its owner.',
      fixes: isChecked ? [{ skipTlsVerification: true }] : [],
    }
  },
})
