import type { SupportCase } from './support-case.ts'

export interface Finding {
  /** How sure the facts make it, 0 to 1. */
  sureness: number
  /** Seen, not supposed: that no option helps says nothing against it. */
  isSeen?: boolean
  /** What is the matter, in one sentence. */
  diagnosis: string
  /** What to do about it, in one sentence. */
  advice: string
  /** Options that may mend it, the likeliest first; each is tried. */
  fixes?: Record<string, unknown>[]
}

/** Reasons why calls do not bring what was expected, by name; undefined where the facts do not speak for one. */
export type Causes = Record<string, (facts: SupportCase) => Finding | undefined>

/** Options of a crawl or a batch itself; all others are of its pages. */
const ofParents = new Set(
  [
    'limit maxDiscoveryDepth includePaths excludePaths regexOnFullURL sitemap scrapeOptions',
    'ignoreQueryParameters deduplicateSimilarURLs crawlEntireDomain allowExternalLinks',
    'allowSubdomains ignoreRobotsTxt robotsUserAgent delay maxConcurrency webhook',
  ].flatMap((line) => line.split(' ')),
)

/** A remedy in the shape of the request that it is merged into: options for the pages of a crawl stand in its `scrapeOptions`. */
export function fixFor(kind: string | undefined, fix: Record<string, unknown>): Record<string, unknown> {
  if (kind !== 'crawl') return fix
  const own = Object.entries(fix).filter(([name]) => ofParents.has(name))
  const ofPages = Object.entries(fix).filter(([name]) => !ofParents.has(name))
  if (ofPages.length === 0) return fix
  const { scrapeOptions = {}, ...rest } = Object.fromEntries(own)
  return { ...rest, scrapeOptions: { ...(scrapeOptions as object), ...Object.fromEntries(ofPages) } }
}
