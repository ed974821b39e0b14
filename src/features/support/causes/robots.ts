import { defineCause } from '../cause.ts'
import { failedWith, optionOf, speaksOf, stepsOf } from '../support-case.ts'

export const robots = defineCause({
  name: 'robots',
  find(facts) {
    const { job } = facts
    const skipped = job?.pages?.skipped['robots.txt'] ?? 0
    const isDenied = failedWith(facts, 'CRAWL_DENIAL') !== undefined
    const isNoted = job?.pages?.notes.some((note) => /robots/.test(note)) === true
    if (!isDenied && skipped === 0 && !isNoted && !(speaksOf(facts, /robots/i) && job?.kind === 'crawl'))
      return undefined
    const isMet = isDenied || skipped > 0 || isNoted
    // Its answer is on record, and it forbids nothing.
    if (!isMet && stepsOf(facts, 'robots').some(({ result }) => result === 'allowed')) return undefined
    const completed = job?.pages?.completed ?? 0
    const isIgnored = optionOf(facts, 'ignoreRobotsTxt') === true
    if (isIgnored) return undefined
    return {
      sureness:
        (isDenied || skipped > 0) && completed <= 1
          ? 0.95
          : skipped > completed
            ? 0.85
            : skipped > 0
              ? 0.6
              : 0.5,
      diagnosis: `The robots.txt of the site keeps crawlers out of ${skipped > 0 ? `${skipped} of the addresses that were found` : 'this page'}.`,
      advice:
        'If you may crawl the site, ignoreRobotsTxt: true goes on without asking; robotsUserAgent names another crawler whose rules are to be followed.',
      // A trial explores the site without asking robots.txt, so it shows nothing where no page was kept out.
      fixes: isMet ? [{ ignoreRobotsTxt: true }] : [],
    }
  },
})
