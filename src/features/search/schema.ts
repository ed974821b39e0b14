import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { anyJson, boundedList, boundedText } from '../../platform/bounded.ts'
import { AppError } from '../../platform/errors.ts'
import { parseTimeRange } from '../../search/query/time-range.ts'
import { callLabels, document, documentMetadata, flag, optionalFlag, pageOptions } from '../scrape/schema.ts'

export const sourceNames = ['web', 'images', 'news'] as const
/** Sources that only the hosted service offers, under both of their names. */
const unavailableNames = ['alexandria', 'exchange'] as const
export const categoryNames = ['github', 'research', 'pdf'] as const

const timeRange = boundedText('MAX_TBS_LENGTH')
  .superRefine((value, context) => {
    try {
      parseTimeRange(value, 0)
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : 'is no time range'
      context.addIssue({ code: 'custom', message })
    }
  })
  .describe(
    'Time range and order, combined by commas: qdr:h, d, w, m or y, also with a number (qdr:d3); cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY; sbd:1 for the newest first. Images have no time.',
  )

const hostnamePattern = /^(?!-)[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

const hostname = boundedText('MAX_HOSTNAME_LENGTH')
  .refine((name) => hostnamePattern.test(name) && domainToASCII(name) !== '', {
    error: 'is a hostname such as docs.example.com, without a protocol or a path',
  })
  .transform((name) => domainToASCII(name))
const hostnames = boundedList(hostname, 'MAX_SEARCH_DOMAINS')

const locationFields = {
  country: boundedText('MAX_LABEL_LENGTH')
    .regex(/^[a-z]{2}$/i, 'is a two-letter country code')
    .toUpperCase()
    .optional()
    .describe('ISO 3166 code of a country. Default: US, unless location is given.'),
  location: boundedText('MAX_LABEL_LENGTH')
    .optional()
    .describe('Location name: `City,Region,Country`. Works best together with country.'),
  lang: boundedText('MAX_LANGUAGE_LENGTH')
    .regex(/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i, 'is a language code such as en')
    .transform((tag) => tag.split('-')[0]?.toLowerCase())
    .optional()
    .describe('ISO 639 code of a language.'),
}

const sourceOptions = z
  .strictObject({
    type: z.enum(sourceNames),
    tbs: timeRange.optional(),
    ...locationFields,
    filter: anyJson('MAX_OPTION_BYTES').optional(),
  })
  .meta({ id: 'SearchSourceOptions' })

export type SourceOptions = z.output<typeof sourceOptions>

const source = z
  .union([z.enum(sourceNames).transform((type): SourceOptions => ({ type })), sourceOptions])
  .meta({ id: 'SearchSource' })
const unavailableSource = z
  .union([
    z.enum(unavailableNames).transform((type) => ({ type })),
    z.strictObject({ type: z.enum(unavailableNames) }),
  ])
  .meta({ id: 'AbsentSearchSource' })
const category = z
  .union([
    z.enum(categoryNames),
    z.strictObject({ type: z.enum(categoryNames) }).transform(({ type }) => type),
  ])
  .meta({ id: 'SearchCategory' })

/** Adds empty formats: results are scraped only if formats are given. */
const resultScraping = z.preprocess(
  (options) =>
    typeof options === 'object' && options !== null && !('formats' in options)
      ? { ...options, formats: [] }
      : options,
  pageOptions,
)

export const searchRequest = z
  .strictObject({
    query: boundedText('MAX_QUERY_LENGTH')
      .trim()
      .min(1, 'needs at least one word')
      .describe(
        'Search query. Operators: quotes, minus, OR, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:.',
      ),
    limit: z.int().min(1).max(100).default(10).describe('Maximum number of results of each source.'),
    sources: boundedList(z.union([source, unavailableSource]), 'MAX_SEARCH_SOURCES')
      .min(1)
      .default((): SourceOptions[] => [{ type: 'web' }])
      .describe('Lists in the response. alexandria and exchange are not available and are omitted.'),
    categories: boundedList(category, 'MAX_SEARCH_SOURCES')
      .default([])
      .describe('Only web results of these kinds; each result names its category.'),
    includeDomains: hostnames.optional().describe('Only results of these hosts. Excludes excludeDomains.'),
    excludeDomains: hostnames.optional().describe('No results of these hosts. Excludes includeDomains.'),
    tbs: timeRange.optional(),
    ...locationFields,
    timeout: z.number().positive().default(60_000).describe('Time budget of the complete request (ms).'),
    ignoreInvalidURLs: flag(false, 'Omit results whose URL other endpoints would reject.'),
    enterprise: boundedList(z.enum(['anon', 'zdr', 'default']), 'MAX_SEARCH_SOURCES')
      .default([])
      .describe('zdr, anon: store nothing of this request. Must be enabled for the team.'),
    scrapeOptions: resultScraping
      .optional()
      .describe('Scrape options of each result; without formats, results are not scraped.'),
    asyncScraping: flag(false, 'Respond before the results are scraped; scrapeIds names the jobs.'),
    highlights: flag(
      true,
      'Describe results from your indexed pages by the passage that answers, not by their first sentences.',
    ),
    safe: optionalFlag('Omit explicit results, if the provider supports it.'),
    ...callLabels,
  })
  .superRefine(({ includeDomains, excludeDomains }, context) => {
    if (!includeDomains?.length || !excludeDomains?.length) return
    const message = 'includeDomains and excludeDomains exclude each other. Remove one of the two.'
    context.addIssue({ code: 'custom', path: ['excludeDomains'], message })
  })
  .meta({ id: 'SearchRequest' })

export type RawSearchRequest = z.output<typeof searchRequest>

export type SearchRequest = Omit<RawSearchRequest, 'sources'> & { sources: SourceOptions[] }

const { metadata: _, ...scraped } = document.partial().shape
const resultMetadata = documentMetadata.partial().meta({ id: 'ResultMetadata' })
const withPage = { ...scraped, metadata: resultMetadata.optional() }
const position = z.int().describe('Position in the list, from 1.')
const marks = z
  .array(z.tuple([z.int(), z.int()]))
  .optional()
  .describe('Ranges of query terms in the accompanying text: start (inclusive), end (exclusive).')

const webResult = z
  .object({
    ...{ title: z.string(), description: z.string(), url: z.string(), position, marks },
    category: z.enum(categoryNames).optional(),
    date: z.string().optional(),
    ...withPage,
  })
  .meta({ id: 'WebResult' })
const newsResult = z
  .object({
    ...{ title: z.string(), snippet: z.string(), url: z.string(), position, marks },
    ...{ date: z.string().optional(), imageUrl: z.string().optional() },
    ...withPage,
  })
  .meta({ id: 'NewsResult' })
const imageResult = z
  .object({
    ...{ title: z.string(), imageUrl: z.string(), url: z.string(), position },
    ...{ imageWidth: z.int().optional(), imageHeight: z.int().optional() },
  })
  .meta({ id: 'ImageResult' })

export type WebResult = z.output<typeof webResult>
export type NewsResult = z.output<typeof newsResult>
export type ImageResult = z.output<typeof imageResult>

const searchData = z
  .object({
    web: z.array(webResult).optional(),
    images: z.array(imageResult).optional(),
    news: z.array(newsResult).optional(),
  })
  .meta({ id: 'SearchData' })

export type SearchData = z.output<typeof searchData>

const ids = z.array(z.string()).optional()

export const searchResult = z.object({
  data: searchData,
  id: z.string().describe('Id of this job.'),
  creditsUsed: z.int().describe('Credits of the search and of the completed scrapes.'),
  scrapeIds: z
    .object({ web: ids, news: ids })
    .optional()
    .describe(
      'Scrape ids of the results, in order, with asyncScraping; GET /v2/scrape/{id} returns each document.',
    ),
})

export type SearchResult = z.output<typeof searchResult> & { warning?: string }

export function withoutUnavailableSources(request: RawSearchRequest): {
  request: SearchRequest
  notes: string[]
} {
  const sources = request.sources.filter(isAvailable)
  const absent = request.sources.filter((source) => !isAvailable(source)).map(({ type }) => type)
  if (absent.length === 0) return { request: { ...request, sources }, notes: [] }
  const message = `Not available here: the source ${absent.join(', ')}.`
  if (sources.length > 0) return { request: { ...request, sources }, notes: [message] }
  const hint = `${message} Ask for ${sourceNames.join(', ')}.`
  throw new AppError('OPTION_NOT_AVAILABLE', { option: 'sources' }, { message: hint })
}

function isAvailable(source: RawSearchRequest['sources'][number]): source is SourceOptions {
  return sourceNames.some((name) => name === source.type)
}
