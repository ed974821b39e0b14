import { z } from 'zod'
import { json } from '../../extraction/formats/json.ts'
import { list, text } from '../../platform/bounded.ts'
import { conflicts, valueSources } from '../multi-page/read-pages.ts'
import { callLabels, flag, pageOptions } from '../scrape/schema.ts'
import { webhookField } from '../webhooks/schema.ts'

/** Maximum number of pages per extract. Each costs as much as a scrape with the format `json`. */
const maxPages = 500
const defaultPages = 50

/**
 * Scrape options of the pages. The extract decides the formats, so the default is an empty list: formats are only set if the
 * caller gives them.
 */
const pageScrapeOptions = z.preprocess(
  (options) =>
    typeof options === 'object' && options !== null && !('formats' in options)
      ? { ...options, formats: [] }
      : options,
  pageOptions,
)

export const extractRequest = z
  .strictObject({
    urls: list(text('MAX_URL_LENGTH'), 'MAX_EXTRACT_URLS')
      .default([])
      .describe('Pages to read. One that ends in /* stands for pages of the site below it.'),
    prompt: text('MAX_PROMPT_LENGTH')
      .optional()
      .describe('What is wanted, in words. Without a schema it needs a language model.'),
    systemPrompt: text('MAX_PROMPT_LENGTH')
      .optional()
      .describe('What the language model shall observe besides the prompt.'),
    schema: json.options.schema.describe('JSON schema of the values.'),
    limit: z
      .int()
      .min(1)
      .max(maxPages)
      .default(defaultPages)
      .describe('Maximum number of pages that are read; the most relevant ones of a site are taken.'),
    ignoreSitemap: flag(false, 'Find pages of a site by its links alone.'),
    includeSubdomains: flag(true, 'Also read pages of other subdomains of a site.'),
    allowExternalLinks: flag(
      false,
      'Also read pages of other sites to which a site links. Needs an address that ends in /*.',
    ),
    enableWebSearch: flag(
      false,
      'Also read pages that a search for the prompt finds. On by itself where no URL is given.',
    ),
    showSources: flag(false, 'Add the pages that state each value, and every value on which pages disagree.'),
    scrapeOptions: pageScrapeOptions.optional().describe('How each page is scraped.'),
    ignoreInvalidURLs: flag(true, 'Skip invalid URLs instead of rejecting the call.'),
    timeout: z
      .number()
      .positive()
      .optional()
      .describe('Time budget (ms). Pages that have not been read by then are left out and named.'),
    agent: z
      .strictObject({ model: text('MAX_LABEL_LENGTH').optional() })
      .nullish()
      .describe('Has no effect here: POST /v2/agent looks for pages by itself.'),
    urlTrace: flag(false, 'Add what became of each page.'),
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

/** Status of an extract. */
export const extractStatus = z.object({
  success: z.boolean().describe('False when it failed.'),
  status: z.enum(['processing', 'completed', 'failed', 'cancelled']),
  data: z.unknown().describe('The values in the shape of the schema; an empty list while it is processing.'),
  expiresAt: z.string(),
  error: z.string().optional().describe('Why it failed.'),
  code: z.string().optional().describe('The error code, when it failed.'),
  warning: z.string().optional(),
  sources: valueSources,
  conflicts,
  steps: z
    .array(
      z.object({ step: z.string(), status: z.string(), discoveredLinks: z.array(z.string()).optional() }),
    )
    .optional()
    .describe('What was done, in order.'),
  urlTrace: z.array(tracedUrl).optional().describe('With urlTrace: what became of each page.'),
  tokensUsed: z.int().describe('creditsUsed, in tokens.'),
  creditsUsed: z.int(),
})

export type ExtractStatus = z.output<typeof extractStatus>
