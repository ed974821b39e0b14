import { defineCause } from '../cause.ts'
import { lastVerdict, optionOf, stepsOf, warnsOf } from '../support-case.ts'

export const javascriptShell = defineCause({
  name: 'javascript-shell',
  find(facts) {
    const verdict = lastVerdict(facts)
    const isShell = verdict?.kind === 'needs-browser' || warnsOf(facts, /seems to need a browser/)
    const usedBrowser = stepsOf(facts, 'fetch').some(
      ({ engine, result }) => engine === 'chromium' && result === 'page',
    )
    if (!isShell || usedBrowser || /consent/.test(verdict?.reason ?? '')) return undefined
    const isFast = optionOf(facts, 'fastMode') === true
    return {
      sureness: 0.94,
      diagnosis: `Scripts draw the content of the page (${verdict?.reason ?? 'it is empty without them'}), and no browser ran them${isFast ? ' because fastMode forbids one' : ''}.`,
      advice: isFast ? 'Leave fastMode out.' : 'Let the page be opened in a browser.',
      fixes: [{ fastMode: false }, { fastMode: false, waitFor: 3000 }],
    }
  },
})
