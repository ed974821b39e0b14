import { z } from 'zod'
import { changeTracking } from '../../extraction/formats/change-tracking.ts'
import { json } from '../../extraction/formats/json.ts'
import { scrapeOptions } from '../../features/scrape/schema.ts'
import { anyJson, boundedList, boundedText } from '../../platform/bounded.ts'
import { AppError } from '../../platform/errors.ts'

const sharedFormats = ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'branding'] as const
const formatNames = [
  ...sharedFormats,
  ...(['screenshot', 'screenshot@fullPage', 'extract', 'json', 'changeTracking'] as const),
] as const

type FormatName = (typeof formatNames)[number]

const jsonOptionsSchema = z
  .strictObject({
    schema: json.options.schema,
    prompt: json.options.prompt,
    systemPrompt: boundedText('MAX_PROMPT_LENGTH').nullish().describe('Is put before the prompt.'),
    mode: z.literal('llm').optional(),
    checkPromptInjection: json.options.checkPromptInjection,
    agent: anyJson('MAX_OPTION_BYTES').optional().describe('Not available.'),
  })
  .meta({ id: 'V1JsonOptions' })

const { headers, includeTags, excludeTags, onlyMainContent, waitFor, mobile, timeout, actions } =
  scrapeOptions
const { location, removeBase64Images, blockAds, storeInCache, fastMode } = scrapeOptions

const sharedOptions = {
  ...{ headers, includeTags, excludeTags, onlyMainContent, waitFor, mobile, timeout, actions },
  ...{ location, removeBase64Images, blockAds, storeInCache, fastMode },
}

export const v1ScrapeOptions = {
  formats: boundedList(
    z.enum(formatNames, { error: `A format of /v1 is one of ${formatNames.join(', ')}` }),
    'MAX_FORMATS',
  )
    .default(['markdown'])
    .describe('What to return, by name.'),
  jsonOptions: jsonOptionsSchema.optional().describe('What the format json reads.'),
  extract: jsonOptionsSchema.optional().describe('What the format extract reads, the older name of json.'),
  changeTrackingOptions: z
    .strictObject({ ...changeTracking.options })
    .meta({ id: 'V1ChangeTrackingOptions' })
    .optional()
    .describe('What the format changeTracking compares.'),
  ...sharedOptions,
  geolocation: scrapeOptions.location.describe('The older name of location.'),
  maxAge: scrapeOptions.maxAge
    .default(0)
    .describe('Use a cached page younger than this (ms). Default: none.'),
  skipTlsVerification: z.boolean().default(false).describe('Accept invalid certificates.'),
  proxy: z
    .enum(['basic', 'stealth', 'enhanced', 'auto'])
    .default('basic')
    .describe('Proxy tier for reaching the site.'),
  parsePDF: z.boolean().default(true).describe('false: return a PDF unchanged, in base64.'),
  agent: anyJson('MAX_OPTION_BYTES').optional().describe('Not available.'),
}

export const v1PageOptions = z.strictObject(v1ScrapeOptions).meta({ id: 'V1ScrapeOptions' })

export const v1NamedFormats = z.preprocess(
  (value) =>
    typeof value === 'object' && value !== null && !('formats' in value) ? { ...value, formats: [] } : value,
  v1PageOptions,
)

type V1ScrapeOptions = z.output<typeof v1PageOptions>

export function toV2Options(options: V1ScrapeOptions): object {
  const { formats, jsonOptions, extract, changeTrackingOptions, geolocation, parsePDF, agent, ...rest } =
    options
  if ((agent ?? jsonOptions?.agent ?? extract?.agent ?? null) !== null)
    throw new AppError('OPTION_NOT_AVAILABLE', { option: 'agent' }, { message: agentMessage })
  if (geolocation !== undefined && rest.location !== undefined)
    throwBadRequest('geolocation is the older name of location. Send one of the two.')
  throwIfFormatMissing(options)
  return {
    ...rest,
    location: rest.location ?? geolocation,
    formats: formats.map((name) => toV2Format(name, options)),
    ...(parsePDF ? {} : { parsers: [] }),
  }
}

function toV2Format(name: FormatName, { jsonOptions, extract, changeTrackingOptions }: V1ScrapeOptions) {
  if (name === 'json') return { type: 'json', ...toV2JsonOptions(jsonOptions) }
  if (name === 'extract') return { type: 'json', ...toV2JsonOptions(extract) }
  if (name === 'changeTracking') return { type: 'changeTracking', ...changeTrackingOptions }
  if (name === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true }
  return name
}

function toV2JsonOptions(jsonFormatOptions: z.output<typeof jsonOptionsSchema> | undefined): object {
  const { schema, prompt, systemPrompt, checkPromptInjection } = jsonFormatOptions ?? {}
  const fullPrompt = [systemPrompt, prompt].filter((part) => (part ?? '') !== '').join('\n\n')
  return { schema, checkPromptInjection, ...(fullPrompt === '' ? {} : { prompt: fullPrompt }) }
}

const formatOptions = [
  ['jsonOptions', 'json'],
  ['extract', 'extract'],
  ['changeTrackingOptions', 'changeTracking'],
] as const

/** Throws if options of a format are given without the format, because they would have no effect. */
function throwIfFormatMissing(options: V1ScrapeOptions): void {
  const { formats } = options
  if (formats.includes('json') && formats.includes('extract'))
    throwBadRequest('extract is the older name of the format json. Send one of the two.')
  for (const [option, format] of formatOptions) {
    if (options[option] !== undefined && !formats.includes(format))
      throwBadRequest(`${option} belongs to the format ${format}: add "${format}" to formats.`)
  }
}

function throwBadRequest(message: string): never {
  throw new AppError('BAD_REQUEST', {}, { message })
}

const agentMessage =
  'The option agent is not available here. Use actions, or POST /v2/scrape/{id}/interact with a prompt after the scrape.'
