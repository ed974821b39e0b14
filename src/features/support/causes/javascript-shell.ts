import { defineCause } from '../cause.ts'
import { trouble } from '../choose-job.ts'
import { isThin, lastStep, lastVerdict, missesContent, optionOf, stepsOf, warnsOf } from '../support-case.ts'

export const javascriptShell = defineCause({
  name: 'javascript-shell',
  find(facts) {
    const verdict = lastVerdict(facts)
    const isShell = verdict?.kind === 'needs-browser' || warnsOf(facts, /seems to need a browser/)
    const usedBrowser = stepsOf({ job: facts.page, children: [] }, 'fetch').some(
      ({ engine, result }) => engine === 'chromium' && result === 'page',
    )
    const misses =
      facts.page?.error === null && trouble.test(facts.words) && lastStep(facts, 'read') !== undefined
    if (usedBrowser || /consent/.test(verdict?.reason ?? '') || (!isShell && !misses)) return undefined
    const isFast = optionOf(facts, 'fastMode') === true
    return {
      sureness: isShell
        ? 0.94
        : facts.job?.kind === 'crawl' || !missesContent(facts)
          ? 0.35
          : isThin(facts)
            ? 0.45
            : 0.56,
      diagnosis: `Scripts draw the content of the page (${verdict?.reason ?? 'some of it is missing without them'}), and no browser ran them${isFast ? ' because fastMode forbids one' : ''}.`,
      advice: isFast ? 'Leave fastMode out.' : 'Let the page be opened in a browser.',
      fixes: isShell ? [{ fastMode: false }, { fastMode: false, waitFor: 3000 }] : [{ waitFor: 2500 }],
    }
  },
})
