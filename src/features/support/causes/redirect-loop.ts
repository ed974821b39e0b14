import { defineCause } from '../cause.ts'
import { failedWith } from '../support-case.ts'

export const redirectLoop = defineCause({
  name: 'redirect-loop',
  find(facts) {
    if (!failedWith(facts, 'SCRAPE_TOO_MANY_REDIRECTS')) return undefined
    return {
      sureness: 0.95,
      diagnosis: 'The URL redirects too often or in a loop.',
      advice:
        'The site may want a cookie or another language: open the page in a browser with waitFor, send the header that it asks for, or use the address at which it ends in a browser.',
      fixes: [{ waitFor: 1000 }],
    }
  },
})
