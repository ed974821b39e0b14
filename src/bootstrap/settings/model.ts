import { z } from 'zod'
import { isModelUrl, wholeNumber } from './fields.ts'

export const modelVariables = {
  MODEL_PROTOCOL: z
    .string()
    .regex(/^[a-z]+$/, 'is the name of a protocol, such as openai')
    .optional()
    .describe(
      'Protocol of the language model: `openai` (chat completions, which most servers speak), `anthropic` or `google`.',
    )
    .meta({ shown: '`openai`' }),
  MODEL_URL: z
    .string()
    .refine(isModelUrl, {
      error: 'is the http:// or https:// address of an endpoint, or script:/path/to/file.json',
    })
    .optional()
    .describe(
      'Language model: base URL of its server, such as `https://host/v1`. Not needed with the protocols `anthropic` and `google`. `script:/path/to/file.json` plays answers from a file; meant for tests.',
    ),
  MODEL_KEY: z.string().optional().describe('Key of the language model; any value if the server needs none.'),
  MODEL_NAME: z.string().optional().describe('Name of the language model on its server.'),
  MODEL_MAX_TOKENS_PER_CALL: wholeNumber(1000, 10_000_000)
    .default(40_000)
    .describe(
      'Tokens of one call to the language model, no more than its context has. A fifth is for the answer; what is sent is cut to the rest.',
    ),
  MODEL_TOKENS_PER_TEAM_PER_DAY: wholeNumber(0, 1e12)
    .default(0)
    .describe('Tokens of the language model that one team may use per day (UTC), in all processes together.')
    .meta({ shown: '0, which means no limit' }),
  MODEL_CONCURRENCY: wholeNumber(1, 10_000)
    .default(32)
    .describe(
      'Requests to the language model that one process has under way, shared fairly between teams; a quarter more for teams that have none.',
    ),
  MODEL_TIMEOUT_MS: wholeNumber(1000, 3_600_000)
    .default(120_000)
    .describe('How long the language model may take for one answer (ms).'),
}

type ModelValues = z.output<z.ZodObject<typeof modelVariables>>

export function readModelSettings(values: ModelValues) {
  if (values.MODEL_URL === undefined && values.MODEL_NAME === undefined) return undefined
  return {
    protocol: values.MODEL_PROTOCOL ?? 'openai',
    url: values.MODEL_URL,
    key: values.MODEL_KEY ?? '',
    name: values.MODEL_NAME ?? 'script',
    timeoutMs: values.MODEL_TIMEOUT_MS,
    concurrency: values.MODEL_CONCURRENCY,
    maxTokensPerCall: values.MODEL_MAX_TOKENS_PER_CALL,
    tokensPerTeamPerDay: values.MODEL_TOKENS_PER_TEAM_PER_DAY,
  }
}

export function findMissingModelSetting(
  values: ModelValues,
): { name: keyof ModelValues; message: string } | undefined {
  const { MODEL_PROTOCOL: protocol, MODEL_URL: url, MODEL_KEY: key, MODEL_NAME: name } = values
  if (url?.startsWith('script:')) return undefined
  const isConfigured = [protocol, url, key, name].some((value) => value !== undefined)
  if (!isConfigured || (key !== undefined && name !== undefined && (url ?? protocol) !== undefined))
    return undefined
  if (url === undefined && protocol !== undefined)
    return { name: 'MODEL_PROTOCOL', message: 'needs MODEL_KEY and MODEL_NAME' }
  return { name: 'MODEL_URL', message: 'needs MODEL_KEY and MODEL_NAME: set all three or none' }
}
