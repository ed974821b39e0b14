import { defineCause } from '../cause.ts'
import { lastVerdict, type SupportCase, stepsOf, warnsOf } from '../support-case.ts'

export const soft404 = defineCause({
  name: 'soft-404',
  find(facts) {
    const isTold =
      /not found, although|parked or for sale/.test(lastVerdict(facts)?.reason ?? '') ||
      warnsOf(facts, /not found, although|parked or for sale/)
    const home = homeInstead(facts)
    if (!isTold && home === undefined) return undefined
    return {
      sureness: isTold ? 0.93 : 0.84,
      diagnosis: isTold
        ? 'The site answers 200 with a page that says that there is nothing at this address.'
        : `The site has no page at this address any more and leads visitors to ${home} instead.`,
      advice: 'Check the URL; POST /v2/map lists the addresses that the site knows.',
    }
  },
})

/** The home page, where the site leads to it from an address deep in it. */
function homeInstead(facts: SupportCase): string | undefined {
  const asked = URL.parse(facts.job?.target ?? '')
  const landed = stepsOf(facts, 'fetch').findLast(({ url }) => url !== undefined)?.url
  const there = URL.parse(landed ?? '')
  const isHome = there !== null && /^\/(?:index\.\w+|home|start)?$/i.test(there.pathname)
  const isDeep = asked !== null && asked.pathname.length > 3
  return isHome && isDeep ? landed?.slice(0, 150) : undefined
}
