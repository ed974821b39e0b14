import { defineCause } from '../cause.ts'
import { optionOf, stepsOf } from '../support-case.ts'

export const singlePageCrawl = defineCause({
  name: 'single-page-crawl',
  find(facts) {
    const { job } = facts
    if (job?.kind !== 'crawl' && job?.kind !== 'map') return undefined
    const { pages } = job
    if (job.kind === 'crawl' && (!pages || pages.completed > 1)) return undefined
    const skipped = pages?.skipped ?? {}
    const depth = optionOf(facts, 'maxDiscoveryDepth')
    const limit = Number(optionOf(facts, 'limit') ?? 10_000)
    const isRefused = stepsOf(facts, 'fetch').some(({ status = 200 }) => status >= 400)
    if (limit <= 1 || (job.kind === 'map' && (facts.document?.links?.length ?? 2) > 1)) return undefined
    const reasons = [
      { reason: 'outside the start path', fix: { crawlEntireDomain: true } },
      { reason: 'other subdomain', fix: { allowSubdomains: true } },
      { reason: 'other site', fix: { allowExternalLinks: true } },
    ].filter(({ reason }) => (skipped[reason] ?? 0) > 0)
    const [first] = reasons.sort((left, right) => (skipped[right.reason] ?? 0) - (skipped[left.reason] ?? 0))
    const isFailed = (pages?.failed ?? 0) > 0 && pages?.completed === 0
    return {
      sureness:
        isFailed || isRefused ? 0.3 : typeof depth === 'number' && depth <= 1 ? 0.9 : first ? 0.9 : 0.75,
      diagnosis: first
        ? `The start leads only to addresses that do not belong to the crawl: ${skipped[first.reason]} are left out as "${first.reason}".`
        : 'The start page has no link to other pages of its site that could be followed.',
      advice: first
        ? `${Object.keys(first.fix)[0]}: true takes them in.`
        : 'Start at a page that links to others, wait for links that scripts add (scrapeOptions.waitFor), or let sitemaps name the pages.',
      fixes: [
        ...(typeof depth === 'number' ? [{ maxDiscoveryDepth: depth + 5 }] : []),
        ...reasons.map(({ fix }) => fix),
        ...(optionOf(facts, 'sitemap') === 'skip' ? [{ sitemap: 'include' }] : []),
        { crawlEntireDomain: true, allowSubdomains: true },
        { scrapeOptions: { waitFor: 3000 } },
      ],
    }
  },
})
