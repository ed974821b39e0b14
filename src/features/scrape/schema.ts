import { z } from 'zod'
import { mainContentModes } from '../../content/main-content/block-selection.ts'
import { selectorList } from '../../content/selector-schema.ts'
import { pageOutputs, parserList } from '../../documents/options.ts'
import {
  allUnavailable,
  conflictOf,
  formatEntry,
  formatOutputs,
  formats,
} from '../../extraction/formats/index.ts'
import { redactPII } from '../../extraction/page-parts/redact-option.ts'
import { actionList, actions, exceedsMaxWait } from '../../fetch/actions/index.ts'
import { boundedList, boundedText, headerFields } from '../../platform/bounded.ts'
import { AppError } from '../../platform/errors.ts'
import { includes } from '../../platform/json/strict-schema.ts'
import { isUrl } from '../../platform/url.ts'

export const flag = (defaultValue: boolean, meaning: string) =>
  z.boolean().default(defaultValue).describe(meaning)

export const optionalFlag = (meaning: string) => z.boolean().optional().describe(meaning)

export const optionalText = (meaning: string) => z.string().optional().describe(meaning)

export const integer = (min: number, max: number) => z.int().min(min).max(max)

export const timeBudget = (defaultMs: number) =>
  integer(1000, 300_000).default(defaultMs).describe('Time budget of the complete request (ms).')

export const maxConcurrency = integer(1, 100_000)
  .optional()
  .describe('Maximum number of concurrently scraped pages. Default: the slots of the team.')

const selectors = selectorList.default([])

const forbiddenHeaders =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*)$/i

const headers = headerFields({
  reserved: forbiddenHeaders,
  badValue: /[\r\n\0]/,
  badValueMessage: 'has a line break in its value',
})

export const tolerantOptions: Record<'formats' | 'actions', ReadonlyMap<string, readonly string[]>> = {
  formats: new Map(
    formats
      .filter(({ toleratesUnknownOptions }) => toleratesUnknownOptions)
      .map(({ name, options }) => [name, Object.keys(options)]),
  ),
  actions: new Map(
    actions
      .filter(({ toleratesUnknownFields }) => toleratesUnknownFields)
      .map(({ type, fields }) => [type, Object.keys(fields)]),
  ),
}

export const profileShape = z
  .strictObject({
    name: boundedText('MAX_PROFILE_NAME_LENGTH')
      .min(1)
      .describe('Scrapes and sessions with the same name share storage.'),
    saveChanges: flag(
      true,
      'Save the storage at the end. Only one request may save at a time; false only loads.',
    ),
  })
  .meta({ id: 'Profile' })

export const scrapeOptions = {
  formats: boundedList(formatEntry, 'MAX_FORMATS')
    .default(() => [{ type: 'markdown' as const }])
    .describe('Formats to return. An empty list returns only metadata.'),
  onlyMainContent: flag(true, 'Omit headers, navigation and footers.'),
  mainContentMode: z
    .enum(mainContentModes)
    .optional()
    .describe(
      'Amount of content that onlyMainContent keeps. balanced (the default): the main content with complete structures; container: the complete element that contains it; article: only text that certainly belongs to it.',
    ),
  onlyCleanContent: flag(
    false,
    'Removes remaining boilerplate from the Markdown, without a language model. Lists, tables and code are kept or removed as a whole. Not available with zero data retention.',
  ),
  includeTags: selectors.describe('CSS selectors: keep only what they match.'),
  excludeTags: selectors.describe('CSS selectors: remove what they match.'),
  maxAge: z
    .int()
    .min(0)
    .optional()
    .describe('Use a cached page younger than this (ms). Default: two days; 0 always fetches.'),
  minAge: z.int().min(1).optional().describe('Use a cached page at least this old (ms), and never fetch.'),
  headers: headers.default({}).describe('Headers sent to the site. Disables the cache.'),
  waitFor: integer(0, 60_000).default(0).describe('Additional wait (ms) before the page is read.'),
  mobile: flag(false, 'Emulate a mobile device.'),
  skipTlsVerification: flag(true, 'Accept invalid certificates.'),
  timeout: timeBudget(60_000),
  parsers: parserList
    .optional()
    .describe(
      'Conversion of files. Default: PDF and images; an empty list returns a PDF unchanged, in base64.',
    ),
  actions: actionList.default([]).describe('Steps on the page before it is read.'),
  location: z
    .strictObject({
      country: z
        .string()
        .max(2, 'is a two-letter country code')
        .regex(/^[a-z]{2}$/i, 'is a two-letter country code')
        .optional(),
      languages: boundedList(boundedText('MAX_LANGUAGE_LENGTH'), 'MAX_LANGUAGES').optional(),
    })
    .meta({ id: 'Location' })
    .optional()
    .describe('Country and languages to emulate.'),
  removeBase64Images: flag(true, 'Omit embedded images from the Markdown.'),
  blockAds: flag(true, 'Block advertisements and cookie banners.'),
  proxy: z
    .enum(['basic', 'enhanced', 'stealth', 'auto'])
    .default('auto')
    .describe('Proxy tier for reaching the site.'),
  storeInCache: optionalFlag('Cache the page for later requests. Default: true.'),
  lockdown: flag(false, 'Serve only from the cache; never contact the site.'),
  profile: profileShape
    .optional()
    .describe(
      'Browser storage that is kept between requests: cookies, local storage, databases. Disables the cache.',
    ),
  fastMode: flag(false, 'Never use a browser.'),
  redactPII,
}

export const pageOptions = z
  .strictObject(scrapeOptions)
  .superRefine(checkCombination)
  .meta({ id: 'ScrapeOptions' })

export const withScrapeOptions = includes('ScrapeOptions')

export const callLabels = {
  origin: boundedText('MAX_LABEL_LENGTH').optional().describe('Label of the caller, stored with the job.'),
  integration: boundedText('MAX_LABEL_LENGTH').nullish().describe('Label of the integration.'),
}

export const urlField = boundedText('MAX_URL_LENGTH').refine(
  isUrl,
  'The URL must be a valid http or https address with a top-level domain',
)

export function checkCombination(request: CombinedOptions, context: z.RefinementCtx): void {
  const problem = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (exceedsMaxWait(request.waitFor, request.actions)) {
    problem('actions', 'waitFor and all wait actions may take 60 seconds in total.')
  }
  if (request.waitFor > request.timeout / 2) problem('waitFor', 'waitFor may be at most half of timeout.')
  checkContentMode(request, context)
  const conflict = request.profile && profileConflict(request, request.profile.saveChanges)
  if (conflict) problem('profile', conflict)
  for (const conflict of conflictOf(request.formats)) problem('formats', conflict)
}

export function checkContentMode(
  request: Pick<ScrapeOptions, 'mainContentMode' | 'onlyMainContent' | 'includeTags'>,
  context: z.RefinementCtx,
): void {
  if (request.mainContentMode === undefined) return
  if (request.onlyMainContent && request.includeTags.length === 0) return
  const message = 'mainContentMode needs onlyMainContent: true and no includeTags.'
  context.addIssue({ code: 'custom', path: ['mainContentMode'], message })
}

interface CombinedOptions extends Omit<ScrapeOptions, 'headers'> {
  zeroDataRetention?: boolean
}

function profileConflict(request: CombinedOptions, savesChanges: boolean): string | undefined {
  if (request.fastMode)
    return 'A profile needs a browser, which fastMode does not use. Remove one of the two.'
  if (request.lockdown || request.minAge !== undefined) {
    const option = request.lockdown ? 'lockdown' : 'minAge'
    return `Pages of a profile are never cached, and ${option} only reads cached pages. Remove one of the two.`
  }
  if (request.zeroDataRetention && savesChanges)
    return 'With zeroDataRetention a profile can be loaded, not saved: use saveChanges: false.'
  return undefined
}

export const scrapeRequest = z
  .strictObject({
    url: urlField.describe('URL to scrape. The default scheme is http.'),
    ...scrapeOptions,
    zeroDataRetention: flag(false, 'Store nothing of this request. Must be enabled for the team.'),
    ...callLabels,
  })
  .superRefine(checkCombination)
  .meta({ id: 'ScrapeRequest', ...withScrapeOptions })

interface ScrapeOptions extends z.output<z.ZodObject<typeof scrapeOptions>> {}

export interface ScrapeRequest extends z.output<typeof scrapeRequest> {}

export function throwIfFormatUnavailable({ formats }: Pick<ScrapeRequest, 'formats'>): void {
  const message = allUnavailable(formats)
  if (message !== undefined) throw new AppError('OPTION_NOT_AVAILABLE', { option: 'formats' }, { message })
}

export const documentMetadata = z
  .object({
    title: z.string().optional(),
    description: z.string().optional(),
    language: z.string().optional(),
    keywords: z.string().optional(),
    ogLocaleAlternate: z.array(z.string()).optional(),
    sourceURL: z.string().describe('URL as requested.'),
    url: z.string().describe('URL after redirects.'),
    statusCode: z.int().describe('HTTP status of the site; 500 if the stored document is damaged.'),
    contentType: z.string().optional(),
    error: optionalText('Present if the site returned an error status, or the stored document is damaged.'),
    code: optionalText('Error code; present if the stored document is damaged.'),
    scrapeId: z.string().describe('Id of this job.'),
    engine: z
      .enum(['http', 'chromium'])
      .optional()
      .describe(
        'Engine that fetched the page: plain HTTP or a browser; for a cached page, the engine that fetched it originally.',
      ),
    proxyUsed: z.enum(['basic', 'stealth']).optional(),
    cacheState: z.enum(['hit', 'miss']).optional().describe('Absent if the cache was not used.'),
    cachedAt: z.string().optional(),
    creditsUsed: z.int(),
    numPages: z.int().optional().describe('Pages of a PDF that were converted.'),
    totalPages: z.int().optional().describe('Pages of the PDF.'),
    concurrencyLimited: z.boolean().optional(),
    concurrencyQueueDurationMs: z.int().optional(),
  })
  .catchall(z.union([z.string(), z.array(z.string()), z.number(), z.boolean(), z.undefined()]))
  .meta({ id: 'DocumentMetadata' })

export const document = z
  .object({
    ...formatOutputs,
    ...pageOutputs,
    actions: z
      .object({
        screenshots: z.array(z.string()),
        scrapes: z.array(z.object({ url: z.string(), html: z.string() })),
        javascriptReturns: z.array(z.object({ type: z.string(), value: z.unknown() })),
        pdfs: z.array(z.string()),
      })
      .meta({ id: 'ActionResults' })
      .optional()
      .describe('Results of the actions, in order; present if the request has actions.'),
    task: z
      .object({ answer: z.string(), steps: z.string(), stopped: z.string().optional() })
      .meta({ id: 'TaskResult' })
      .optional()
      .describe('Summary of the steps of the agent before the page was read, written by the language model.'),
    metadata: documentMetadata,
    warning: optionalText('Information for the caller: options without effect, limits reached.'),
  })
  .meta({ id: 'Document' })

export type Document = z.output<typeof document>

/** Scrape request with an agent task that runs before the page is read. The API does not accept it. */
export interface AgentScrapeRequest extends ScrapeRequest {
  task: string
}

export function taskOf(request: object): string | undefined {
  return 'task' in request && typeof request.task === 'string' ? request.task : undefined
}
