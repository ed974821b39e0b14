import { defineCause } from '../cause.ts'
import { failedWith } from '../support-case.ts'

export const siteError = defineCause({
  name: 'site-error',
  find(facts) {
    const code = failedWith(facts, 'SCRAPE_SITE_ERROR', 'SCRAPE_ALL_ENGINES_FAILED', 'BROWSER_FAILED')
    if (!code) return undefined
    return {
      sureness: 0.6,
      diagnosis: (
        facts.job?.error?.error ?? 'The site closed the connection before the page was complete.'
      ).slice(0, 300),
      advice:
        'Try again later; if a browser can open the page, use proxy: "enhanced", or waitFor to have it opened in one here.',
      fixes: [{ waitFor: 1000 }, { proxy: 'enhanced' }],
    }
  },
})
