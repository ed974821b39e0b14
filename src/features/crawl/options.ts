import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { createSiteBlocks, type SiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { Clock } from '../../platform/clock.ts'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { digest } from '../../platform/text.ts'
import { readUrl } from '../../platform/url.ts'
import { findCrawl } from '../../store/frontier.ts'
import type { Store } from '../../store/schema.ts'
import { type StoredJson, storedJson } from '../../store/stored-json.ts'
import { compilePatterns } from '../discover/patterns.ts'
import { ownAgent } from '../discover/robots-files.ts'
import { createScope, type Scope, skipReasons } from '../discover/scope.ts'
import { urlKey } from '../discover/url-key.ts'
import { scrapeOptions } from '../scrape/schema.ts'
import { type CrawlRequest, crawlFields, type PromptedCrawl } from './schema.ts'

const resolvedOptions = storedShape(
  z.object({
    url: z.string(),
    home: z.string().optional(),
    startLeftOut: z.enum(skipReasons).optional(),
    ...crawlFields,
    includePaths: crawlFields.includePaths.default([]),
    excludePaths: crawlFields.excludePaths.default([]),
    regexOnFullURL: crawlFields.regexOnFullURL.default(false),
    sitemap: crawlFields.sitemap.default('include'),
    ignoreQueryParameters: crawlFields.ignoreQueryParameters.default(false),
    deduplicateSimilarURLs: crawlFields.deduplicateSimilarURLs.default(true),
    limit: crawlFields.limit.default(10_000),
    crawlEntireDomain: crawlFields.crawlEntireDomain.default(false),
    allowExternalLinks: crawlFields.allowExternalLinks.default(false),
    removeRepeatedContent: crawlFields.removeRepeatedContent.default(false),
    allowSubdomains: crawlFields.allowSubdomains.default(false),
    ignoreRobotsTxt: crawlFields.ignoreRobotsTxt.default(false),
    robotsUserAgent: crawlFields.robotsUserAgent.default(ownAgent),
    scrapeOptions: z.object(scrapeOptions),
  }),
)

export type CrawlOptions = z.output<typeof resolvedOptions>

const optionsColumn = storedJson({ table: 'crawls', column: 'options' }, resolvedOptions)
const parsedOptions = new LRUCache<string, CrawlOptions>({ max: 50 })

/** Cached, because each page reads them and they may hold 100 KB. Do not modify the returned object. */
export const storedOptions: StoredJson<CrawlOptions> = {
  write: optionsColumn.write,
  read(text) {
    const options = parsedOptions.get(text) ?? optionsColumn.read(text)
    parsedOptions.set(text, options)
    return options
  },
}

export function resolveOptions(request: CrawlRequest, prompted: PromptedCrawl): CrawlOptions {
  const { url, scrapeOptions } = request
  const names = Object.keys(crawlFields) as (keyof typeof crawlFields)[]
  const requestOptions = Object.fromEntries(
    names.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]])),
  )
  return resolvedOptions.parse({ ...prompted, ...requestOptions, url: readUrl(url).href, scrapeOptions })
}

export function toPublicOptions({ url: _, home: _home, startLeftOut: _left, ...options }: CrawlOptions) {
  const { headers: _headers, ...scrapeOptions } = options.scrapeOptions
  return { ...options, scrapeOptions }
}

export const crawlBaseUrl = ({ home, url }: CrawlOptions) => new URL(home ?? url)

export async function createCrawlScope(options: CrawlOptions, now: number): Promise<Scope> {
  return createScope(crawlBaseUrl(options), {
    entireDomain: options.crawlEntireDomain,
    subdomains: options.allowSubdomains,
    external: options.allowExternalLinks,
    patterns: await compilePatterns(options),
    now,
  })
}

export function frontierKey(url: URL, options: CrawlOptions): string {
  const { deduplicateSimilarURLs: similar, ignoreQueryParameters: withoutQuery } = options
  return digest([urlKey(url, { similar, withoutQuery })])
}

/** Returns the key of a page whose URL differs from others only in its fragment. `shown` represents its content. */
export function frontierKeyUrl({ origin, pathname, search }: URL, shown: string): string {
  return digest([origin, pathname, search, '\nshows ', shown])
}

export interface CachedCrawl {
  options: CrawlOptions
  scope: Scope
  site: SiteBlocks
  isFull: boolean
}

/** The text blocks of one crawl use up to a megabyte. */
const maxCached = 100

/** Callers pass the base URL that they expect: another process may have moved the crawl, which is then read again. */
export function createCrawlCache(deps: { store: Store; clock: Clock }) {
  const cache = new LRUCache<string, CachedCrawl>({ max: maxCached })
  const findCached = (crawlId: string, baseHref: string | undefined) => {
    const crawl = cache.get(crawlId)
    return baseHref === undefined || crawl?.options.home === baseHref ? crawl : undefined
  }
  return async (crawlId: string, baseHref?: string): Promise<CachedCrawl> => {
    const loaded = findCached(crawlId, baseHref) ?? (await loadCrawl(deps, crawlId))
    // Look up again, because another page may have loaded the crawl during the wait.
    const crawl = findCached(crawlId, baseHref) ?? loaded
    cache.set(crawlId, crawl)
    return crawl
  }
}

export type CrawlCache = ReturnType<typeof createCrawlCache>

async function loadCrawl({ store, clock }: { store: Store; clock: Clock }, crawlId: string) {
  const row = await findCrawl(store.query, crawlId)
  if (!row) throw new Error('A page belongs to a crawl that is not there.')
  const options = storedOptions.read(row.options)
  const scope = await createCrawlScope(options, clock.now())
  return { options, scope, site: createSiteBlocks(), isFull: false }
}
