import { defineCause } from '../cause.ts'
import { missesContent, optionOf, speaksOf } from '../support-case.ts'

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
    const isOnly = mode === 'only' && missesContent(facts)
    if (!isTold && !isAsked && !isShort && !isOnly) return undefined
    const read = job.steps.find((step) => step.step === 'sitemaps')
    return {
      sureness: isShort
        ? 0.93
        : isTold && mode === 'only'
          ? 0.95
          : isTold && isAsked
            ? 0.9
            : mode === 'only'
              ? isAsked
                ? 0.85
                : 0.7
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
        : readSays(read),
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

function readSays(read: { files: number; found: number } | undefined): string {
  if (read?.files === 0) return 'The site has no sitemap that could be read.'
  if (read?.found === 0) return 'The sitemaps of the site name no page.'
  const count = read === undefined ? '' : ` (${read.found} addresses)`
  return `The sitemap of the site names other pages${count} than those that were expected.`
}
