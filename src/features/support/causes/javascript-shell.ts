import { defineCause } from '../cause.ts'
import { isThin, lastVerdict, missesContent, optionOf, stepsOf, warnsOf } from '../support-case.ts'

export const javascriptShell = defineCause({
  name: 'javascript-shell',
  find(facts) {
    const verdict = lastVerdict(facts)
    const isShell = verdict?.kind === 'needs-browser' || warnsOf(facts, /seems to need a browser/)
    const usedBrowser = stepsOf(facts, 'fetch').some(
      ({ engine, result }) => engine === 'chromium' && result === 'page',
    )
    const misses =
      missesContent(facts) &&
      facts.job?.error === null &&
      !facts.job.pages &&
      stepsOf(facts, 'read').length > 0
    if (usedBrowser || /consent/.test(verdict?.reason ?? '') || (!isShell && !misses)) return undefined
    const isFast = optionOf(facts, 'fastMode') === true
    return {
      sureness: isShell ? 0.94 : isThin(facts) ? 0.45 : 0.56,
      diagnosis: `Scripts draw the content of the page (${verdict?.reason ?? 'some of it is missing without them'}), and no browser ran them${isFast ? ' because fastMode forbids one' : ''}.`,
      advice: isFast ? 'Leave fastMode out.' : 'Let the page be opened in a browser.',
      fixes: isShell ? [{ fastMode: false }, { fastMode: false, waitFor: 3000 }] : [{ waitFor: 2500 }],
    }
  },
})
