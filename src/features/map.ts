import { z } from 'zod'
import { byRelevance } from '../extraction/page-parts/url-relevance.ts'
import type { Outcome, RunningJob } from '../jobs/job.ts'
import { boundedText } from '../platform/bounded.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { readUrl } from '../platform/url.ts'
import { type DiscoverDeps, discover } from './discover/discover.ts'
import type { Discovered, FoundPage } from './discover/page-list.ts'
import { compilePatterns, patternList } from './discover/patterns.ts'
import { callLabels, flag, integer, optionalFlag, scrapeOptions, urlField } from './scrape/schema.ts'

const patterns = patternList.default([])

export const mapRequest = z.strictObject({
  url: urlField.describe('URL of the site, or of a part of it.'),
  search: boundedText('MAX_SEARCH_LENGTH')
    .optional()
    .describe(
      'Sorts all found pages by relevance to this text before limit applies. Only the first 50 words count.',
    ),
  sitemap: z
    .enum(['skip', 'include', 'only'])
    .default('include')
    .describe(
      'skip: ignore sitemaps; only: read nothing but sitemaps; include: read sitemaps and links, so the list is never shorter than with skip.',
    ),
  includeSubdomains: flag(true, 'Also list pages of other subdomains.'),
  ignoreQueryParameters: flag(true, 'Skip URLs with a query.'),
  ignoreCache: flag(false, 'Read sitemaps again; by default they are cached for seven days.'),
  limit: integer(1, 100_000).default(5000).describe('Maximum number of pages in the response.'),
  timeout: z
    .number()
    .positive()
    .optional()
    .describe('Time budget (ms). The call returns the pages found by then.'),
  location: scrapeOptions.location,
  headers: scrapeOptions.headers.describe('Headers sent to the site with each request for links.'),
  includePaths: patterns.describe('Regular expressions: only pages with a matching path are listed.'),
  excludePaths: patterns.describe('Regular expressions: pages with a matching path are not listed.'),
  allowExternalLinks: flag(false, 'List pages of other sites that the site links to.'),
  filterByPath: flag(true, 'If the URL has a path, list only pages below it.'),
  useIndex: optionalFlag('No effect: there is no index of other sites.'),
  ...callLabels,
})

export type MapRequest = z.output<typeof mapRequest>

export const mapResult = z.object({
  id: z.string().describe('Id of this job.'),
  links: z.array(
    z
      .object({ url: z.string(), title: z.string().optional(), description: z.string().optional() })
      .meta({ id: 'MapLink' }),
  ),
  sources: z.record(z.string(), z.int()).describe('Number of pages by the source in which they were found.'),
  leftOut: z.record(z.string(), z.int()).describe('Number of URLs that were skipped, by reason.'),
  warning: z.string().optional(),
})

export type MapResult = z.output<typeof mapResult>

interface MapDeps {
  clock: Clock
  discoverDepsFor: (request: MapRequest) => DiscoverDeps
}

/** Clients disconnect shortly after this time. */
const maxMapMs = 290_000
const maxPages = 10_000
/** Reserved for building the response, but at most a quarter of the time budget. */
const responseReserveMs = 500

export const mapTime = ({ timeout }: Pick<MapRequest, 'timeout'>) =>
  Math.ceil(Math.min(timeout ?? maxMapMs, maxMapMs))

export async function mapSite(
  deps: MapDeps,
  job: RunningJob<MapRequest>,
  signal: AbortSignal,
): Promise<Outcome<MapResult>> {
  const request = job.input
  const start = readUrl(request.url)
  const totalMs = mapTime(request)
  const budgetMs = totalMs - (job.waitedMs ?? 0) - Math.min(responseReserveMs, Math.floor(totalMs / 4))
  const timeoutSignal = AbortSignal.timeout(Math.max(0, budgetMs))
  const found = await discover(
    deps.discoverDepsFor(request),
    {
      ...request,
      ...{ teamId: job.teamId, start, maxPages, trace: job.trace },
      scope: {
        entireDomain: !request.filterByPath,
        subdomains: request.includeSubdomains,
        external: request.allowExternalLinks,
        now: deps.clock.now(),
      },
      patterns: await compilePatterns({ ...request, regexOnFullURL: false }),
      sitemapMs: Math.max(0, Math.round(budgetMs / 2)),
      ...getDiscoverLimits(request),
    },
    AbortSignal.any([signal, timeoutSignal]),
  ).catch((thrown) => {
    throw timeoutSignal.aborted && !signal.aborted
      ? new AppError('MAP_TIMEOUT', { phase: 'discover' }, { cause: thrown })
      : thrown
  })
  signal.throwIfAborted()
  if (timeoutSignal.aborted && found.pages.length <= 1)
    throw new AppError('MAP_TIMEOUT', { phase: 'discover' })
  const { search, limit } = request
  const ordered =
    search === undefined ? found.pages : await byRelevance(found.pages, search, job.yieldToForeground)
  const pages = ordered.slice(0, limit)
  const cutCount = ordered.length - pages.length
  const leftOut =
    cutCount === 0 ? found.leftOut : { ...found.leftOut, limit: (found.leftOut.limit ?? 0) + cutCount }
  const warning = buildWarning(request, start, found)
  return {
    credits: 1,
    result: {
      id: job.id,
      // A map may have 100,000 links; `present` would take two to three times as long per link.
      links: pages.map(({ url, title, description }) => ({
        url,
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
      })),
      sources: countBySource(pages),
      leftOut,
      ...(warning === '' ? {} : { warning }),
    },
  }
}

/** More pages are ranked than the response contains, because the best page may be found last. */
const maxRanked = 100_000
const minRanked = 5000

function getDiscoverLimits({ search, limit }: MapRequest): { limit: number; linkFollowLimit: number } {
  if (search === undefined) return { limit, linkFollowLimit: limit }
  return { limit: maxRanked, linkFollowLimit: Math.max(limit, minRanked) }
}

function countBySource(pages: FoundPage[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { source } of pages) counts[source] = (counts[source] ?? 0) + 1
  return counts
}

function buildWarning(request: MapRequest, start: URL, found: Discovered): string {
  const warnings = [...found.notes]
  if (found.pages.length <= 1 && start.pathname !== '/' && request.filterByPath) {
    warnings.push(
      'Only pages below the path of the URL are listed; filterByPath: false or the root of the site lists more.',
    )
  }
  if (request.useIndex === true)
    warnings.push('useIndex has no effect: there is no index of other sites here.')
  return warnings.join(' ')
}
