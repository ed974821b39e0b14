import { defineCause } from '../cause.ts'
import { lastVerdict, warnsOf } from '../support-case.ts'

export const soft404 = defineCause({
  name: 'soft-404',
  find(facts) {
    const isTold =
      /not found, although|parked or for sale/.test(lastVerdict(facts)?.reason ?? '') ||
      warnsOf(facts, /not found, although|parked or for sale/)
    if (!isTold) return undefined
    return {
      sureness: 0.93,
      diagnosis: 'The site answers 200 with a page that says that there is nothing at this address.',
      advice: 'Check the URL; POST /v2/map lists the addresses that the site knows.',
    }
  },
})
