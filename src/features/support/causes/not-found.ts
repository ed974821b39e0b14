import { defineCause } from '../cause.ts'
import { lastStep } from '../support-case.ts'

export const notFound = defineCause({
  name: 'not-found',
  find(facts) {
    const status = lastStep(facts, 'fetch')?.status
    if (status !== 404 && status !== 410) return undefined
    return {
      sureness: 0.85,
      diagnosis: `The site answers ${status}: it has no page at this address.`,
      advice: 'Check the URL; POST /v2/map lists the addresses that the site knows.',
    }
  },
})
