import { z } from 'zod'
import { list, text } from '../../base/bounded.ts'
import { parseTimeRange } from '../../search/query/time-range.ts'
import { callLabels, document, scrapeOptions } from '../scrape/schema.ts'

const sourceNames = ['web', 'images', 'news'] as const
const categoryNames = ['github', 'research', 'pdf'] as const

/** `MM/DD/YYYY` ranges and their short forms; what is wrong with one is said here. */
const timeRange = text('MAX_TBS_LENGTH')
  .superRefine((value, context) => {
    try {
      parseTimeRange(value, 0)
    } catch (thrown) {
      context.addIssue({ code: 'custom', message: thrown instanceof Error ? thrown.message : 'Invalid' })
    }
  })
  .describe('Time range and order: qdr:h, d, w, m or y, also with a number; cdr:1,cd_min:MM/DD/YYYY,cd_max:…; sbd:1.')

const hostname = text('MAX_HOSTNAME_LENGTH')
  .regex(/^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i, 'is a hostname, without a protocol or a path')
  .toLowerCase()
const hostnames = list(hostname, 'MAX_SEARCH_DOMAINS')

const place = {
  country: text('MAX_LABEL_LENGTH').optional().describe('ISO 3166 code of a country. Default: US, unless location is given.'),
  location: text('MAX_LABEL_LENGTH').optional().describe('A place: `City,Region,Country`.'),
  lang: text('MAX_LABEL_LENGTH').optional().describe('ISO 639 code of a language.'),
}

/** A source by its name, or with options of its own. */
const source = z.union([
  z.enum(sourceNames),
  z.object({ type: z.enum(sourceNames), tbs: timeRange.optional(), ...place }),
])
const category = z.union([z.enum(categoryNames), z.object({ type: z.enum(categoryNames) })])

export const searchRequest = z
  .strictObject({
    query: text('MAX_QUERY_LENGTH').min(1).describe('What to look for; operators are listed in the guide of search.'),
    limit: z.int().min(1).max(100).default(10).describe('Results of each source.'),
    sources: list(source, 'MAX_SEARCH_SOURCES').min(1).default(['web']).describe('Which lists the answer has.'),
    categories: list(category, 'MAX_SEARCH_SOURCES').default([]).describe('Results of these kinds only.'),
    includeDomains: hostnames.optional().describe('Results of these hosts only. Not with excludeDomains.'),
    excludeDomains: hostnames.optional().describe('No results of these hosts. Not with includeDomains.'),
    tbs: timeRange.optional(),
    ...place,
    timeout: z.int().min(1).default(60_000).describe('Time budget of the whole call (ms).'),
    ignoreInvalidURLs: z.boolean().default(false).describe('Leave out results that other endpoints would reject.'),
    enterprise: list(z.enum(['anon', 'zdr', 'default']), 'MAX_SEARCH_SOURCES').default([]),
    scrapeOptions: z.object(scrapeOptions).partial().optional(),
    asyncScraping: z.boolean().default(false).describe('Answer before results are scraped; scrapeIds name the jobs.'),
    highlights: z.boolean().default(true).describe('Show the passage that answers where the page is known here.'),
    safe: z.boolean().optional().describe('Leave out explicit results, where the provider can.'),
    filter: z.boolean().optional(),
    ...callLabels,
  })
  .refine(({ includeDomains, excludeDomains }) => !(includeDomains?.length && excludeDomains?.length), {
    path: ['excludeDomains'],
    message: 'cannot stand beside includeDomains',
  })
  .meta({ id: 'SearchRequest' })

export type SearchRequest = z.output<typeof searchRequest>

const scraped = document.partial().omit({ metadata: true }).shape

const webResult = z.object({
  title: z.string(),
  description: z.string(),
  url: z.string(),
  position: z.int(),
  category: z.enum(categoryNames).optional(),
  marks: z.array(z.tuple([z.int(), z.int()])).optional().describe('Where words of the query stand in description.'),
  ...scraped,
})
