import type { z } from 'zod'
import { digest } from '../../base/digest.ts'
import { readUrl } from '../../base/url.ts'
import { compilePatterns } from '../discover/patterns.ts'
import { ownAgent } from '../discover/robots-files.ts'
import { createScope, type Scope, type SkipReason } from '../discover/scope.ts'
import { urlKey } from '../discover/url-key.ts'
import type { CrawlRequest, crawlFields } from './schema.ts'

type Given = z.output<z.ZodObject<typeof crawlFields>>

/** All options of a crawl, decided; kept as JSON beside its job. */
export interface CrawlOptions {
  url: string
  /** Where the start led to, if that is another host: the crawl is one of that site then. */
  home?: string
  /** Why the start is read for its links alone, if it is. */
  startLeftOut?: SkipReason
  includePaths: string[]
  excludePaths: string[]
  regexOnFullURL: boolean
  maxDiscoveryDepth: number | undefined
  sitemap: 'skip' | 'include' | 'only'
  ignoreQueryParameters: boolean
  deduplicateSimilarURLs: boolean
  limit: number
  crawlEntireDomain: boolean
  allowExternalLinks: boolean
  removeRepeatedContent: boolean
  allowSubdomains: boolean
  ignoreRobotsTxt: boolean
  robotsUserAgent: string
  delay: number | undefined
  maxConcurrency: number | undefined
  scrapeOptions: CrawlRequest['scrapeOptions']
}

/** What the caller gave, then what the prompt asks for, then the defaults. */
export function decideOptions(request: CrawlRequest, wished: Partial<Given>): CrawlOptions {
  const pick = <Name extends keyof Given>(name: Name) => request[name] ?? wished[name]
  return {
    url: readUrl(request.url).href,
    includePaths: pick('includePaths') ?? [],
    excludePaths: pick('excludePaths') ?? [],
    regexOnFullURL: pick('regexOnFullURL') ?? false,
    maxDiscoveryDepth: pick('maxDiscoveryDepth'),
    sitemap: pick('sitemap') ?? 'include',
    ignoreQueryParameters: pick('ignoreQueryParameters') ?? false,
    deduplicateSimilarURLs: pick('deduplicateSimilarURLs') ?? true,
    limit: pick('limit') ?? 10_000,
    crawlEntireDomain: pick('crawlEntireDomain') ?? false,
    allowExternalLinks: pick('allowExternalLinks') ?? false,
    removeRepeatedContent: pick('removeRepeatedContent') ?? false,
    allowSubdomains: pick('allowSubdomains') ?? false,
    ignoreRobotsTxt: pick('ignoreRobotsTxt') ?? false,
    robotsUserAgent: pick('robotsUserAgent') ?? ownAgent,
    delay: pick('delay'),
    maxConcurrency: pick('maxConcurrency'),
    scrapeOptions: request.scrapeOptions,
  }
}

export function homeOf({ home, url }: CrawlOptions): URL {
  return new URL(home ?? url)
}

export function scopeOf(options: CrawlOptions, now: number): Scope {
  return createScope(homeOf(options), {
    entireDomain: options.crawlEntireDomain,
    subdomains: options.allowSubdomains,
    external: options.allowExternalLinks,
    patterns: compilePatterns(options),
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
export function shownKey({ origin, pathname, search }: URL, shown: string): string {
  return digest([origin, pathname, search, '\nshows ', shown])
}
