import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { noSiteBlocks, type SiteBlocks } from '../../content/main-content/site-blocks.ts'
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

/** All options of a crawl, decided: those of the request, with what holds where nobody says anything. */
const decided = storedShape(
  z.object({
    url: z.string(),
    /** Where the start led to, if that is another host: the crawl is one of that site then. */
    home: z.string().optional(),
    /** Why the start is read for its links alone, if it is. */
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

export type CrawlOptions = z.output<typeof decided>

const column = storedJson({ table: 'crawls', column: 'options' }, decided)
const lastRead = new LRUCache<string, CrawlOptions>({ max: 50 })

/**
 * They are kept beside the job of the crawl. The last ones that were read are remembered by their text, because those of a crawl
 * are read again for each of its pages and may have a schema of 100 KB in them. Nobody may change what is returned.
 */
export const storedOptions: StoredJson<CrawlOptions> = {
  write: column.write,
  read(text) {
    const options = lastRead.get(text) ?? column.read(text)
    lastRead.set(text, options)
    return options
  },
}

/** What the caller gave, then what the prompt asks for, then the defaults. */
export function decideOptions(request: CrawlRequest, prompted: PromptedCrawl): CrawlOptions {
  const { url, scrapeOptions } = request
  const names = Object.keys(crawlFields) as (keyof typeof crawlFields)[]
  const given = names.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]]]))
  return decided.parse({ ...prompted, ...Object.fromEntries(given), url: readUrl(url).href, scrapeOptions })
}

/** The options as the list of crawls shows them: without what only the crawl needs, and without secrets of the caller. */
export function shownOptions({ url: _, home: _home, startLeftOut: _left, ...kept }: CrawlOptions) {
  const { headers: _headers, ...scrapeOptions } = kept.scrapeOptions
  return { ...kept, scrapeOptions }
}

export function crawlBaseUrl({ home, url }: CrawlOptions): URL {
  return new URL(home ?? url)
}

export async function scopeOf(options: CrawlOptions, now: number): Promise<Scope> {
  return createScope(crawlBaseUrl(options), {
    entireDomain: options.crawlEntireDomain,
    subdomains: options.allowSubdomains,
    external: options.allowExternalLinks,
    patterns: await compilePatterns(options),
    now,
  })
}

/** What a page of the crawl is known by: short, whatever its address is. */
export function frontierKey(url: URL, options: CrawlOptions): string {
  const key = urlKey(url, {
    similar: options.deduplicateSimilarURLs,
    withoutQuery: options.ignoreQueryParameters,
  })
  return digest([key])
}

/** What a page is known by whose address differs from that of others in its fragment alone: what it shows. */
export function frontierKeyUrl({ origin, pathname, search }: URL, shown: string): string {
  return digest([origin, pathname, search, '\nshows ', shown])
}

export interface CachedCrawl {
  options: CrawlOptions
  scope: Scope
  /** What its pages said, as far as they were read here. */
  site: SiteBlocks
  /** It has met as many addresses as are kept: further ones need not be looked at. */
  isFull: boolean
}

/** The texts of one crawl take up to a megabyte. */
const maxCached = 100

/**
 * What this process knows of the crawls that its pages belong to, last used last: their options and the texts of their
 * pages. One that was dropped is read again, and its texts are gathered anew. So is one of which another process has seen
 * that its start leads to another home: the caller says what home it knows of.
 */
export function createCrawlCache(deps: { store: Store; clock: Clock }) {
  const known = new LRUCache<string, CachedCrawl>({ max: maxCached })
  const knownAt = (crawlId: string, home: string | undefined) => {
    const crawl = known.get(crawlId)
    return home === undefined || crawl?.options.home === home ? crawl : undefined
  }
  return async (crawlId: string, home?: string): Promise<CachedCrawl> => {
    const found = knownAt(crawlId, home) ?? (await open(deps, crawlId))
    // Looked up again after the wait: another page of the crawl may have been first.
    const crawl = knownAt(crawlId, home) ?? found
    known.set(crawlId, crawl)
    return crawl
  }
}

export type CrawlCache = ReturnType<typeof createCrawlCache>

async function open({ store, clock }: { store: Store; clock: Clock }, crawlId: string): Promise<CachedCrawl> {
  const row = await findCrawl(store.query, crawlId)
  if (!row) throw new Error('A page belongs to a crawl that is not there.')
  const options = storedOptions.read(row.options)
  return { options, scope: await scopeOf(options, clock.now()), site: noSiteBlocks(), isFull: false }
}
