import { defineCause } from '../cause.ts'
import { optionOf, speaksOf } from '../support-case.ts'

export const sitemap = defineCause({
  name: 'sitemap',
  find(facts) {
    const { job, document } = facts
    if (job?.kind !== 'crawl' && job?.kind !== 'map') return undefined
    const notes = [...(job.pages?.notes ?? []), document?.warning ?? ''].join(' ')
    const isTold = /sitemap/i.test(notes)
    const mode = optionOf(facts, 'sitemap')
    const isAsked = speaksOf(facts, /sitemap/i)
    const isShort = job.kind === 'map' && (document?.links?.length ?? 2) <= 2 && mode === 'only'
    if (!isTold && !isAsked && !isShort) return undefined
    return {
      sureness: isShort
        ? 0.93
        : isTold && mode === 'only'
          ? 0.95
          : isTold && isAsked
            ? 0.9
            : isAsked && mode === 'only'
              ? 0.85
              : isAsked
                ? 0.6
                : 0.4,
      diagnosis: isTold
        ? `${notes
            .split('. ')
            .find((note) => /sitemap/i.test(note))
            ?.replace(/\.$/, '')
            .slice(0, 300)
            .trim()}.`
        : 'The sitemap of the site names other pages than those that were expected.',
      advice:
        'sitemap: "include" follows links as well, and sitemap: "skip" does without; the sitemap itself can be checked with a scrape of its address.',
      fixes:
        mode === 'only'
          ? [{ sitemap: 'include' }, { sitemap: 'skip' }]
          : mode === 'skip'
            ? [{ sitemap: 'include' }]
            : [{ sitemap: 'skip' }],
    }
  },
})
