import { defineCause } from '../cause.ts'
import { optionOf, speaksOf } from '../support-case.ts'

export const limitReached = defineCause({
  name: 'limit-reached',
  find(facts) {
    const { job } = facts
    if (job?.kind !== 'crawl' && job?.kind !== 'map' && job?.kind !== 'search') return undefined
    const limit = Number(optionOf(facts, 'limit') ?? 10_000)
    const depth = optionOf(facts, 'maxDiscoveryDepth')
    const beyond = job.pages?.skipped.limit ?? 0
    const taken = job.pages?.completed ?? 0
    const isFull = beyond > 0 || (job.kind === 'crawl' && taken >= limit)
    const isShallow = typeof depth === 'number' && depth <= 3
    const isAsked = speaksOf(facts, /limit|depth|deep|only \d+|more pages|not all|missing|stops?|few/i)
    if (!isFull && !(isShallow && isAsked)) return undefined
    const isDepth = !isFull
    return {
      sureness: isFull ? 0.9 : 0.87,
      diagnosis: isDepth
        ? `maxDiscoveryDepth: ${depth} ends the crawl ${depth} links from its start.`
        : `The limit of ${limit} pages was reached${beyond > 0 ? `, with ${beyond} more addresses found` : ''}.`,
      advice: isDepth ? 'Raise maxDiscoveryDepth, or leave it out.' : 'Raise limit.',
      fixes: [
        isDepth
          ? { maxDiscoveryDepth: Number(depth) + 5 }
          : { limit: Math.min(100_000, Math.max(100, limit * 10)) },
      ],
    }
  },
})
