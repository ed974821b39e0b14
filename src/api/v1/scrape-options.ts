import { z } from 'zod'
import { changeTracking } from '../../extraction/formats/change-tracking.ts'
import { json } from '../../extraction/formats/json.ts'
import { scrapeOptions } from '../../features/scrape/schema.ts'
import { anyJson, list, text } from '../../platform/bounded.ts'
import { AppError } from '../../platform/errors.ts'

/** Formats that are the same by name in both versions. */
const sameFormats = ['markdown', 'html', 'rawHtml', 'links', 'images', 'summary', 'branding'] as const
const formatNames = [
  ...sameFormats,
  ...(['screenshot', 'screenshot@fullPage', 'extract', 'json', 'changeTracking'] as const),
] as const

type FormatName = (typeof formatNames)[number]

const values = z
  .strictObject({
    schema: json.options.schema,
    prompt: json.options.prompt,
    systemPrompt: text('MAX_PROMPT_LENGTH').nullish().describe('Is put before the prompt.'),
    mode: z.literal('llm').optional(),
    checkPromptInjection: json.options.checkPromptInjection,
    agent: anyJson('MAX_OPTION_BYTES').optional().describe('Not available here.'),
  })
  .meta({ id: 'V1JsonOptions' })

const { headers, includeTags, excludeTags, onlyMainContent, waitFor, mobile, timeout, actions } =
  scrapeOptions
const { location, removeBase64Images, blockAds, storeInCache, fastMode } = scrapeOptions

/** The scrape options of the first version that the second one has under the same name and with the same meaning. */
const same = {
  ...{ headers, includeTags, excludeTags, onlyMainContent, waitFor, mobile, timeout, actions },
  ...{ location, removeBase64Images, blockAds, storeInCache, fastMode },
}

/** The scrape options of every call that scrapes. */
export const v1ScrapeOptions = {
  formats: list(
    z.enum(formatNames, { error: `A format of /v1 is one of ${formatNames.join(', ')}` }),
    'MAX_FORMATS',
  )
    .default(['markdown'])
    .describe('What to return, by name.'),
  jsonOptions: values.optional().describe('What the format json reads.'),
  extract: values.optional().describe('What the format extract reads, the older name of json.'),
  changeTrackingOptions: z
    .strictObject({ ...changeTracking.options })
    .meta({ id: 'V1ChangeTrackingOptions' })
    .optional()
    .describe('What the format changeTracking compares.'),
  ...same,
  geolocation: scrapeOptions.location.describe('The older name of location.'),
  maxAge: scrapeOptions.maxAge
    .default(0)
    .describe('Use a cached page younger than this (ms). Default: none.'),
  skipTlsVerification: z.boolean().default(false).describe('Accept invalid certificates.'),
  proxy: z
    .enum(['basic', 'stealth', 'enhanced', 'auto'])
    .default('basic')
    .describe('How the site is reached.'),
  parsePDF: z.boolean().default(true).describe('false: return a PDF unchanged, in base64.'),
  agent: anyJson('MAX_OPTION_BYTES').optional().describe('Not available here.'),
}

export const v1PageOptions = z.strictObject(v1ScrapeOptions).meta({ id: 'V1ScrapeOptions' })

/** The same where a page is returned only in the formats that are named. */
export const v1NamedFormats = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null && !('formats' in given) ? { ...given, formats: [] } : given,
  v1PageOptions,
)

type V1ScrapeOptions = z.output<typeof v1PageOptions>

/** The options under their names of today. */
export function optionsInV2(options: V1ScrapeOptions): object {
  const { formats, jsonOptions, extract, changeTrackingOptions, geolocation, parsePDF, agent, ...rest } =
    options
  if ((agent ?? jsonOptions?.agent ?? extract?.agent ?? null) !== null)
    throw new AppError('OPTION_NOT_AVAILABLE', { option: 'agent' }, { message: withoutAgent })
  if (geolocation !== undefined && rest.location !== undefined)
    refuse('geolocation is the older name of location. Send one of the two.')
  refuseWithoutFormat(options)
  return {
    ...rest,
    location: rest.location ?? geolocation,
    formats: formats.map((name) => formatInV2(name, options)),
    ...(parsePDF ? {} : { parsers: [] }),
  }
}

function formatInV2(name: FormatName, { jsonOptions, extract, changeTrackingOptions }: V1ScrapeOptions) {
  if (name === 'json') return { type: 'json', ...valuesInV2(jsonOptions) }
  if (name === 'extract') return { type: 'json', ...valuesInV2(extract) }
  if (name === 'changeTracking') return { type: 'changeTracking', ...changeTrackingOptions }
  if (name === 'screenshot@fullPage') return { type: 'screenshot', fullPage: true }
  return name
}

function valuesInV2(given: z.output<typeof values> | undefined): object {
  const { schema, prompt, systemPrompt, checkPromptInjection } = given ?? {}
  const words = [systemPrompt, prompt].filter((part) => (part ?? '') !== '').join('\n\n')
  return { schema, checkPromptInjection, ...(words === '' ? {} : { prompt: words }) }
}

const optionsOfFormats = [
  ['jsonOptions', 'json'],
  ['extract', 'extract'],
  ['changeTrackingOptions', 'changeTracking'],
] as const

/** Options of a format that nobody asked for would change nothing. */
function refuseWithoutFormat(options: V1ScrapeOptions): void {
  const { formats } = options
  if (formats.includes('json') && formats.includes('extract'))
    refuse('extract is the older name of the format json. Send one of the two.')
  for (const [option, format] of optionsOfFormats) {
    if (options[option] !== undefined && !formats.includes(format))
      refuse(`${option} belongs to the format ${format}: add "${format}" to formats.`)
  }
}

function refuse(message: string): never {
  throw new AppError('BAD_REQUEST', {}, { message })
}

const withoutAgent =
  'The option agent is not available here. Use actions, or POST /v2/scrape/{id}/interact with a prompt after the scrape.'
