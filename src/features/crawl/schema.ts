import { z } from 'zod'
import type { PromptOptions } from '../../extraction/page-parts/crawl-prompt.ts'
import { boundedText } from '../../platform/bounded.ts'
import { patternList } from '../discover/patterns.ts'
import {
  callLabels,
  flag,
  integer,
  maxConcurrency,
  optionalFlag,
  pageOptions,
  urlField,
} from '../scrape/schema.ts'
import { webhookField } from '../webhooks/schema.ts'

/** Defaults are applied later, so that a prompt can set options that the request omits. */
export const crawlFields = {
  includePaths: patternList
    .optional()
    .describe('Regular expressions: only pages with a matching path are scraped.'),
  excludePaths: patternList
    .optional()
    .describe('Regular expressions: pages with a matching path are not scraped.'),
  regexOnFullURL: optionalFlag(
    'Match patterns against the complete URL instead of the path. Default: false.',
  ),
  maxDiscoveryDepth: integer(0, 1000)
    .optional()
    .describe('Maximum number of links from the start. Links on pages at the limit are not followed.'),
  sitemap: z.enum(['skip', 'include', 'only']).optional().describe('Use of sitemaps. Default: include.'),
  ignoreQueryParameters: optionalFlag(
    'Treat pages that differ only in their query as one page. Default: false.',
  ),
  deduplicateSimilarURLs: optionalFlag(
    'Treat URLs as equal that differ in www, http, a trailing slash or an index file. Default: true.',
  ),
  limit: integer(1, 1_000_000).optional().describe('Maximum number of pages. Default: 10000.'),
  crawlEntireDomain: optionalFlag(
    'Follow links to pages outside the start path. Default: only pages below it.',
  ),
  allowExternalLinks: optionalFlag(
    'Scrape pages of other sites that the site links to, but do not follow their links. Default: false.',
  ),
  removeRepeatedContent: optionalFlag(
    'Omit texts that most pages of the site repeat; headings, terms, cells and code are never omitted. Default: false: each page is read as if it were scraped separately.',
  ),
  allowSubdomains: optionalFlag('Follow links to other subdomains. Default: false.'),
  ignoreRobotsTxt: optionalFlag('Ignore robots.txt. Default: false.'),
  robotsUserAgent: boundedText('MAX_AGENT_NAME_LENGTH')
    .regex(/^[\w-]{1,100}/, 'is the name of an agent')
    .optional()
    .describe('User agent to match in robots.txt. Default: WinnowBot.'),
  delay: z
    .number()
    .positive()
    .max(60)
    .optional()
    .describe('Seconds between two pages; pages are then scraped one at a time.'),
  maxConcurrency,
}

export const crawlRequest = z.strictObject({
  url: urlField.describe('Start URL of the crawl.'),
  prompt: boundedText('MAX_PROMPT_LENGTH')
    .optional()
    .describe('Description of the crawl in natural language. Explicit options take precedence.'),
  ...crawlFields,
  scrapeOptions: pageOptions.prefault({}).describe('Scrape options of each page.'),
  webhook: webhookField,
  zeroDataRetention: flag(false, 'Not available for crawls, because their results are stored.'),
  ...callLabels,
})

export type CrawlRequest = z.output<typeof crawlRequest>

export const previewRequest = z.strictObject({
  url: urlField.describe('Start URL of the crawl.'),
  prompt: boundedText('MAX_PROMPT_LENGTH').min(1).describe('Description of the crawl in natural language.'),
  ...callLabels,
})

export const promptFields = z.object(crawlFields).pick({
  includePaths: true,
  excludePaths: true,
  maxDiscoveryDepth: true,
  crawlEntireDomain: true,
  allowExternalLinks: true,
  allowSubdomains: true,
  sitemap: true,
  ignoreQueryParameters: true,
  ignoreRobotsTxt: true,
  robotsUserAgent: true,
  deduplicateSimilarURLs: true,
  delay: true,
  limit: true,
} satisfies Record<keyof PromptOptions, true>)

export type PromptedCrawl = z.output<typeof promptFields>

export const previewOptions = z.object({ url: z.string(), ...promptFields.shape })
