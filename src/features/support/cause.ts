import { failedWith, type SupportCase } from './support-case.ts'

export interface Finding {
  confidence: number
  /** True if the cause was observed, so that a failed fix does not lower the confidence. */
  isObserved?: boolean
  diagnosis: string
  advice: string
  fixes?: Record<string, unknown>[]
}

export type Causes = Record<string, (facts: SupportCase) => Finding | undefined>

export const whenFailedWith =
  (codes: string[], find: (facts: SupportCase) => Finding): Causes[string] =>
  (facts) =>
    failedWith(facts, ...codes) ? find(facts) : undefined

export const firstOf = (...cases: [holds: boolean, confidence: number][]) =>
  cases.find(([holds]) => holds)?.[1] ?? 0

const parentOptions = new Set(
  [
    'limit maxDiscoveryDepth includePaths excludePaths regexOnFullURL sitemap scrapeOptions',
    'ignoreQueryParameters deduplicateSimilarURLs crawlEntireDomain allowExternalLinks',
    'allowSubdomains ignoreRobotsTxt robotsUserAgent delay maxConcurrency webhook',
  ].flatMap((line) => line.split(' ')),
)

/** Converts a fix to the shape of the request. Page options of a crawl belong in `scrapeOptions`. */
export function fixFor(kind: string | undefined, fix: Record<string, unknown>): Record<string, unknown> {
  if (kind !== 'crawl') return fix
  const entries = Object.entries(fix)
  const pageOptions = entries.filter(([name]) => !parentOptions.has(name))
  if (pageOptions.length === 0) return fix
  const { scrapeOptions = {}, ...rest } = Object.fromEntries(
    entries.filter(([name]) => parentOptions.has(name)),
  )
  return { ...rest, scrapeOptions: { ...(scrapeOptions as object), ...Object.fromEntries(pageOptions) } }
}
