import { defineCause, type Finding } from '../cause.ts'
import { lastStep, missesContent, optionOf, type SupportCase, speaksOf } from '../support-case.ts'

export const limitReached = defineCause({
  name: 'limit-reached',
  find(facts) {
    const { job } = facts
    const cut = pagesCut(facts)
    if (cut) return cut
    if (job?.kind !== 'crawl' && job?.kind !== 'map' && job?.kind !== 'search') return undefined
    const limit = Number(optionOf(facts, 'limit') ?? 10_000)
    const depth = optionOf(facts, 'maxDiscoveryDepth')
    const beyond = job.pages?.skipped.limit ?? 0
    const taken = job.pages?.completed ?? facts.document?.links?.length ?? 0
    const isFull = beyond > 0 || taken >= limit
    const isShallow = typeof depth === 'number' && depth <= 3
    const isAsked = speaksOf(facts, /limit|depth|deep|only \d+|more pages|not all|missing|stops?|few/i)
    if (!isFull && !(isShallow && (isAsked || missesContent(facts)))) return undefined
    const isDepth = !isFull
    return {
      sureness: isFull ? 0.9 : isAsked ? 0.87 : 0.7,
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

/** A file of which only the first pages were asked for. */
function pagesCut(facts: SupportCase): Finding | undefined {
  const parsers = optionOf(facts, 'parsers')
  const converted = lastStep(facts, 'convert')?.pages ?? 0
  if (!Array.isArray(parsers) || converted === 0) return undefined
  const limits = parsers.map((parser) => Number(Object(parser).maxPages ?? Number.POSITIVE_INFINITY))
  const most = Math.min(...limits)
  if (converted < most) return undefined
  return {
    sureness: missesContent(facts) ? 0.92 : 0.91,
    diagnosis: `maxPages: ${most} ends the conversion after ${most} pages of the file.`,
    advice: 'Raise maxPages, or leave it out.',
    fixes: [{ parsers: parsers.map((parser) => without(parser, 'maxPages')) }],
  }
}

function without(parser: unknown, name: string): unknown {
  if (typeof parser !== 'object' || parser === null) return parser
  return Object.fromEntries(
    Object.entries(parser).filter(([key, value]) => key !== name && value !== undefined),
  )
}
