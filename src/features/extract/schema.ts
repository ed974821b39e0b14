import { z } from 'zod'
import { json } from '../../extraction/formats/json.ts'
import { boundedList, boundedText } from '../../platform/bounded.ts'
import { storedShape } from '../../platform/json/stored-shape.ts'
import { storedJson } from '../../store/stored-json.ts'
import { conflicts, valueSources } from '../multi-page/read-pages.ts'
import { callLabels, flag, integer, pageOptions } from '../scrape/schema.ts'
import { webhookField } from '../webhooks/schema.ts'

/** The extract decides the formats, so the list is empty unless the caller gives them. */
const pageScrapeOptions = z.preprocess(
  (options) =>
    typeof options === 'object' && options !== null && !('formats' in options)
      ? { ...options, formats: [] }
      : options,
  pageOptions,
)

export const extractRequest = z
  .strictObject({
    urls: boundedList(boundedText('MAX_URL_LENGTH'), 'MAX_EXTRACT_URLS')
      .default([])
      .describe('Pages to read. A URL that ends in /* includes the pages of the site below it.'),
    prompt: boundedText('MAX_PROMPT_LENGTH')
      .optional()
      .describe(
        'Description of the values in natural language. Requires a language model if there is no schema.',
      ),
    systemPrompt: boundedText('MAX_PROMPT_LENGTH')
      .optional()
      .describe('Additional instructions for the language model.'),
    schema: json.options.schema.describe('JSON schema of the values.'),
    limit: integer(1, 500)
      .default(50)
      .describe('Maximum number of pages to read; the most relevant pages of a site are selected.'),
    ignoreSitemap: flag(false, 'Find pages of a site only by links.'),
    includeSubdomains: flag(true, 'Also read pages of other subdomains of a site.'),
    allowExternalLinks: flag(
      false,
      'Also read pages of other sites to which a site links. Requires a URL that ends in /*.',
    ),
    enableWebSearch: flag(
      false,
      'Also read pages that a search for the prompt finds. On by default if no URL is given.',
    ),
    showSources: flag(false, 'Add the source pages of each value, and every value on which pages disagree.'),
    scrapeOptions: pageScrapeOptions.optional().describe('Scrape options of each page.'),
    ignoreInvalidURLs: flag(true, 'Skip invalid URLs instead of rejecting the call.'),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe('Time budget (ms). Pages that were not read in time are omitted and listed.'),
    agent: z
      .strictObject({ model: boundedText('MAX_LABEL_LENGTH').optional() })
      .nullish()
      .describe('No effect: POST /v2/agent finds pages without it.'),
    urlTrace: flag(false, 'Add the outcome of each page.'),
    webhook: webhookField,
    ...callLabels,
  })
  .superRefine(({ urls, prompt, schema }, context) => {
    const addProblem = (message: string) => context.addIssue({ code: 'custom', message })
    if (urls.length === 0 && prompt === undefined) addProblem('Either urls or prompt must be given.')
    else if (schema === undefined && prompt === undefined)
      addProblem('Say what is wanted: schema or prompt must be given.')
  })
  .meta({ id: 'ExtractRequest' })

export type ExtractRequest = z.output<typeof extractRequest>

const tracedUrl = z
  .object({
    url: z.string(),
    status: z.enum(['mapped', 'scraped', 'error']),
    error: z.string().optional(),
    usedInCompletion: z.boolean(),
  })
  .meta({ id: 'TracedUrl' })

export const extractStatus = z.object({
  success: z.boolean().describe('False if the job failed.'),
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  data: z.unknown().describe('Values in the shape of the schema; an empty list while processing.'),
  expiresAt: z.string(),
  error: z.string().optional().describe('Reason for the failure.'),
  code: z.string().optional().describe('Error code of the failure.'),
  warning: z.string().optional(),
  sources: valueSources,
  conflicts,
  steps: z
    .array(
      z.object({ step: z.string(), status: z.string(), discoveredLinks: z.array(z.string()).optional() }),
    )
    .optional()
    .describe('Steps of the run, in order.'),
  urlTrace: z.array(tracedUrl).optional().describe('Outcome of each page, with urlTrace.'),
  tokensUsed: z.int().describe('creditsUsed, converted to tokens.'),
  creditsUsed: z.int(),
})

export type ExtractStatus = z.output<typeof extractStatus>

const inputColumn = { table: 'jobs', column: 'input' } as const

export const findKind = 'extract_find'
export const mergeKind = 'extract_merge'

/** Stored input of an extract: the fields of its status, without secrets of the caller. */
export const extractInput = storedJson(
  inputColumn,
  z.looseObject({
    urls: z.array(z.string()).default([]),
    prompt: z.string().optional(),
    schema: z.unknown().optional(),
    showSources: z.boolean().default(false),
    urlTrace: z.boolean().default(false),
    warnings: z.array(z.string()).default([]),
  }),
)

export type ExtractInput = ReturnType<typeof extractInput.read>

export const findInput = storedJson(
  inputColumn,
  z.object({
    request: storedShape(z.object(extractRequest.shape).omit({ webhook: true })),
    price: z.number(),
    mostLiving: z.number(),
  }),
)

export type FindInput = ReturnType<typeof findInput.read>

export interface FindResult {
  schema: Record<string, unknown>
  pages: string[]
  notes: string[]
}

export const mergeInput = storedJson(inputColumn, z.object({}))
