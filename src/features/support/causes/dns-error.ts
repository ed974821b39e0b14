import { defineCause } from '../cause.ts'
import { failedWith } from '../support-case.ts'

export const dnsError = defineCause({
  name: 'dns-error',
  find(facts) {
    if (!failedWith(facts, 'SCRAPE_DNS_RESOLUTION_ERROR')) return undefined
    return {
      sureness: 0.97,
      diagnosis: `The host name of ${facts.job?.target ?? 'the URL'} does not resolve.`,
      advice:
        'Check its spelling and whether the site is public: names of an internal network are not known to this service.',
    }
  },
})
