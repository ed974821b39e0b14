import { defineCause } from '../cause.ts'
import { optionOf, type SupportCase, speaksOf } from '../support-case.ts'

export const duplicateUrls = defineCause({
  name: 'duplicate-urls',
  find(facts) {
    const { job } = facts
    if (job?.kind !== 'crawl' && job?.kind !== 'map') return undefined
    const folded = job.pages?.skipped.duplicate ?? 0
    const isAsked = speaksOf(
      facts,
      /duplicat|same .{0,40}(page|list|content|text|article)|twice|(several|many|two|three|four|five|\d+) times|over and over|repeat(ed|s)? (url|page)|query (string|param)|\?\w+=/i,
    )
    const copies = mostCopies(facts)
    if (!isAsked && folded === 0 && copies < 3) return undefined
    const withQuery = optionOf(facts, 'ignoreQueryParameters') !== true
    const keepsSimilar = optionOf(facts, 'deduplicateSimilarURLs') === false
    const wantsThem = speaksOf(facts, /missing|not (there|crawled|included)|left out|skipp/i) && folded > 0
    return {
      sureness: isAsked ? 0.9 : copies < 3 ? 0.3 : 0.45,
      diagnosis: wantsThem
        ? `The crawl took ${folded} addresses for duplicates of pages that it has.`
        : 'Addresses that differ in their query or in details of spelling lead to the same page.',
      advice: wantsThem
        ? 'deduplicateSimilarURLs: false keeps addresses apart that differ only in such details.'
        : 'ignoreQueryParameters: true takes addresses that differ in the query for one page.',
      fixes: wantsThem
        ? [{ deduplicateSimilarURLs: false }]
        : [
            {
              ...(withQuery && { ignoreQueryParameters: true }),
              ...(keepsSimilar && { deduplicateSimilarURLs: true }),
            },
          ],
    }
  },
})

/** How many of the addresses differ in nothing but their query, of those that do so most. */
function mostCopies({ job, targets, document }: SupportCase): number {
  const listed = (job?.kind === 'map' ? (document?.links ?? []) : []).map((link) =>
    typeof link === 'string' ? link : String(Object(link).url ?? ''),
  )
  const bare = [...targets, ...listed].map((address) => address.replace(/[?#].*$/, ''))
  const groups = [...Map.groupBy(bare, (address) => address).values()]
  return Math.max(0, ...groups.map(({ length }) => length))
}
