import { z } from 'zod'
import { present } from '../../features/present.ts'
import { scrapeOptions } from '../../features/scrape/schema.ts'
import { anyObject, boundedList, boundedText } from '../../platform/bounded.ts'

export function optional<Inner extends z.ZodType>(field: z.ZodDefault<Inner>) {
  return field
    .unwrap()
    .optional()
    .describe(field.description ?? '')
}

const formats = boundedList(
  z.enum(['markdown', 'summary', 'links', 'html', 'rawHtml', 'images', 'screenshot', 'branding']),
  'MAX_FORMATS',
)
  .optional()
  .describe('What to return. Default: markdown, unless schema, prompt or question is given.')

const { onlyMainContent, includeTags, excludeTags, waitFor, maxAge, mobile } = scrapeOptions

/** Scrape options that are useful for a model, with the bounds of the endpoint. All sixty options would confuse it. */
export const pageFields = {
  onlyMainContent: optional(onlyMainContent).describe(
    'Leave out headers, navigation and footers. Default: true.',
  ),
  includeTags: optional(includeTags).describe('CSS selectors: keep only what they match.'),
  excludeTags: optional(excludeTags).describe('CSS selectors: remove what they match.'),
  waitFor: optional(waitFor).describe(
    'Additional milliseconds in a browser before the page is read, for content that appears late.',
  ),
  maxAge: maxAge.describe(
    'Accept a cached page younger than this (milliseconds). Default: two days; 0 always fetches.',
  ),
  mobile: optional(mobile).describe('Emulate a mobile device.'),
}

export const schemaField = anyObject('MAX_SCHEMA_BYTES')
  .optional()
  .describe('JSON schema of values to read from the page, as an object.')

export const contentFields = {
  formats,
  schema: schemaField,
  prompt: boundedText('MAX_PROMPT_LENGTH')
    .min(1)
    .optional()
    .describe('Values to read, in words. Without a schema it needs a language model on the service.'),
  question: boundedText('MAX_QUESTION_LENGTH')
    .min(1)
    .optional()
    .describe('A question that is answered from the page alone. Cheaper to read than the whole page.'),
}

type ContentFields = Partial<z.output<z.ZodObject<typeof contentFields>>>

export function formatsOf({ formats, schema, prompt, question }: ContentFields): object[] | undefined {
  const requested = [
    ...(formats ?? []).map((type) => ({ type })),
    ...(schema === undefined && prompt === undefined ? [] : [present({ type: 'json', schema, prompt })]),
    ...(question === undefined ? [] : [{ type: 'question', question }]),
  ]
  return requested.length === 0 ? undefined : requested
}

export const label = { origin: 'mcp' }
