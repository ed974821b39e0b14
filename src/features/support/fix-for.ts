/** Options of a crawl or a batch itself; all others are of its pages. */
const ofParents = new Set([
  ...[
    'limit',
    'maxDiscoveryDepth',
    'includePaths',
    'excludePaths',
    'regexOnFullURL',
    'sitemap',
    'scrapeOptions',
  ],
  ...['ignoreQueryParameters', 'deduplicateSimilarURLs', 'crawlEntireDomain', 'allowExternalLinks'],
  ...['allowSubdomains', 'ignoreRobotsTxt', 'robotsUserAgent', 'delay', 'maxConcurrency', 'webhook'],
])

/** A remedy in the shape of the request that it is merged into: options for the pages of a crawl stand in its `scrapeOptions`. */
export function fixFor(kind: string | undefined, fix: Record<string, unknown>): Record<string, unknown> {
  if (kind !== 'crawl') return fix
  const own = Object.entries(fix).filter(([name]) => ofParents.has(name))
  const ofPages = Object.entries(fix).filter(([name]) => !ofParents.has(name))
  if (ofPages.length === 0) return fix
  const { scrapeOptions = {}, ...rest } = Object.fromEntries(own)
  return { ...rest, scrapeOptions: { ...(scrapeOptions as object), ...Object.fromEntries(ofPages) } }
}
