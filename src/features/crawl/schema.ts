import { z } from 'zod'
import type { PromptOptions } from '../../extraction/page-parts/crawl-prompt.ts'
import { text } from '../../platform/bounded.ts'
import { patternList } from '../discover/patterns.ts'
import { callLabels, flag, optionalFlag, pageOptions, urlField } from '../scrape/schema.ts'
import { webhookField } from '../webhooks/schema.ts'

/**
 * All options of a crawl except its start URL. Defaults are applied later, so that a prompt can set options that the request
 * omits.
 */
export const crawlFields = {
  includePaths: patternList
    .optional()
    .describe('Patterns: only pages whose path matches one of them are scraped.'),
  excludePaths: patternList
    .optional()
    .describe('Patterns: pages whose path matches one of them are not scraped.'),
  regexOnFullURL: optionalFlag('Patterns see the whole URL, not the path. Default: false.'),
  maxDiscoveryDepth: z
    .int()
    .min(0)
    .max(1000)
    .optional()
    .describe('Steps from the start. Pages at the limit are scraped, but nothing is followed from them.'),
  sitemap: z
    .enum(['skip', 'include', 'only'])
    .optional()
    .describe('What to do with sitemaps. Default: include.'),
  ignoreQueryParameters: optionalFlag('Pages that differ in their query only are one page. Default: false.'),
  deduplicateSimilarURLs: optionalFlag(
    'www, http, slashes at the end and index files make no difference. Default: true.',
  ),
  limit: z.int().min(1).max(1_000_000).optional().describe('Most pages that are returned. Default: 10000.'),
  crawlEntireDomain: optionalFlag(
    'Follow links to pages beside and above the start. Default: only pages below it.',
  ),
  allowExternalLinks: optionalFlag(
    'Scrape pages of other sites that the site links to, one step far. Default: false.',
  ),
  removeRepeatedContent: optionalFlag(
    'Leave out texts that most pages of the site show; never headings, terms, cells or code. Default: false: each page reads as if it were scraped alone.',
  ),
  allowSubdomains: optionalFlag('Follow links to other subdomains. Default: false.'),
  ignoreRobotsTxt: optionalFlag('Do not ask robots.txt. Default: false.'),
  robotsUserAgent: text('MAX_AGENT_NAME_LENGTH')
    .regex(/^[\w-]{1,100}/, 'is the name of an agent')
    .optional()
    .describe('Name to look for in robots.txt. Default: WinnowBot.'),
  delay: z
    .number()
    .positive()
    .max(60)
    .optional()
    .describe('Seconds between two pages; then one is scraped at a time.'),
  maxConcurrency: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Most pages scraped at the same time. Default: as many as the team has slots.'),
}

export const crawlRequest = z.strictObject({
  url: urlField.describe('Where the crawl starts.'),
  prompt: text('MAX_PROMPT_LENGTH')
    .optional()
    .describe('What to crawl, in plain language. Options that are given win over it.'),
  ...crawlFields,
  scrapeOptions: pageOptions.prefault({}).describe('How each page is scraped.'),
  webhook: webhookField,
  zeroDataRetention: flag(false, 'Not available for crawls: their results are kept to be read.'),
  ...callLabels,
})

export type CrawlRequest = z.output<typeof crawlRequest>

export const previewRequest = z.strictObject({
  url: urlField.describe('Where the crawl would start.'),
  prompt: text('MAX_PROMPT_LENGTH').min(1).describe('What to crawl, in plain language.'),
  ...callLabels,
})

/** Options that a prompt can set. */
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
