import { defineCause } from '../cause.ts'
import { failedWith, speaksOf, warnsOf } from '../support-case.ts'

export const searchProviderDown = defineCause({
  name: 'search-provider-down',
  find(facts) {
    const code = failedWith(facts, 'SEARCH_ENGINE_FAILED', 'SEARCH_NOTHING_TO_SEARCH')
    const isTold = facts.job?.kind === 'search' && warnsOf(facts, /did not answer|provider|engine/i)
    const isAlone = facts.job?.kind === 'search' && warnsOf(facts, /is configured for it/)
    const isAsked = speaksOf(facts, /SEARCH_ENGINE_FAILED|SEARCH_NOTHING_TO_SEARCH/)
    if (!code && !isTold && !isAsked) return undefined
    return {
      sureness: code ? 0.97 : 0.75,
      diagnosis:
        code === 'SEARCH_NOTHING_TO_SEARCH' || isAlone
          ? 'Nothing was found: no provider may be configured for this source, and no page of the team has the words.'
          : 'The search providers of this installation did not answer.',
      advice:
        'Try again in a few minutes, or let the operator name others with SEARCH_PROVIDERS, SEARCH_KEYS and SEARCH_URLS (docs/search.md); pages that were scraped or crawled can be searched without any.',
    }
  },
})
