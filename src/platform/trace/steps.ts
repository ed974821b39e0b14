import { z } from 'zod'

const count = z.number().int().nonnegative()
const milliseconds = count.describe('Milliseconds.')
const at = count.describe('Milliseconds since the job was started.')
const engine = z.string().describe('http or chromium.')
const proxy = z.enum(['basic', 'enhanced'])

export const timedStepSchema = z
  .discriminatedUnion('step', [
    step('plan', 'Plan of the request.', {
      formats: z.array(z.string()),
      cache: z.enum(['read', 'only', 'not read']),
      keeps: z.boolean().describe('True if the page is stored in the cache.'),
      proxy: z.enum(['basic', 'enhanced', 'auto']),
      timeoutMs: milliseconds,
      browserFor: z.string().optional().describe('Reason why only a browser can serve the request.'),
      onlyMainContent: z.boolean(),
      includeTags: count,
      excludeTags: count,
      waitForMs: milliseconds,
      actions: count,
    }),
    step('queue', 'Wait for a slot of the team.', {
      waitedMs: milliseconds,
    }),
    step('cache', 'Cache lookup, with the time of the cached fetch.', {
      result: z.enum(['hit', 'miss']),
      fetchedAt: count.optional(),
    }),
    step('robots', 'Rule of robots.txt for a page of a crawl.', {
      result: z.enum(['allowed', 'denied', 'ignored']),
      message: z.string().optional(),
    }),
    step('sitemaps', 'Result of a crawl or a map reading the sitemaps of its site.', {
      mode: z.enum(['include', 'skip', 'only']),
      files: count.describe('Sitemaps and feeds that were read.'),
      found: count.describe('URLs in the sitemaps.'),
      message: z.string().optional(),
    }),
    step('fetch', 'One attempt to fetch the page.', {
      engine,
      proxy,
      ms: milliseconds,
      result: z.enum(['page', 'file', 'error']),
      status: count.optional(),
      url: z.string().optional().describe('Final URL, if it differs from the requested one.'),
      contentType: z.string().optional(),
      characters: count.optional().describe('Only for a page rendered in a browser.'),
      bytes: count.optional(),
      code: z.string().optional(),
      phase: z.string().optional(),
      message: z.string().optional(),
    }),
    step('verdict', 'Classification of the fetched page.', {
      kind: z.enum(['good', 'needs-browser', 'blocked']),
      reason: z.string().optional(),
    }),
    step('wait', 'Wait of the browser until the page is complete.', {
      endedBy: z.enum(['at rest', 'out of time']),
      ms: milliseconds,
    }),
    step('consent', 'A consent dialog was on the page.', {
      answer: z.string(),
    }),
    step('action', 'One action on the page.', {
      index: count,
      type: z.string(),
      ms: milliseconds,
      result: z.enum(['done', 'failed']),
    }),
    step('read', 'Share of the page that became content.', {
      pageCharacters: count.describe('Text on the page.'),
      keptCharacters: count.describe('Text in the result.'),
      leftOut: z
        .array(z.object({ reason: z.string(), characters: count, parts: count }))
        .describe('Omitted text by reason.'),
    }),
    step('convert', 'A file was converted.', {
      type: z.string(),
      pages: count.optional(),
    }),
    step('model', 'One call of the language model.', {
      ms: milliseconds,
      inputTokens: count,
      outputTokens: count,
    }),
    step('write', 'The formats were rendered.', {
      ms: milliseconds,
      markdownCharacters: count.optional(),
      warnings: z.array(z.string()),
    }),
    step('omitted', 'The trace is truncated: there were more steps.', {
      steps: count,
    }),
  ])
  .meta({ id: 'TraceStep' })

function step<Name extends string, Fields extends z.ZodRawShape>(
  name: Name,
  description: string,
  fields: Fields,
) {
  return z.object({ step: z.literal(name), at, ...fields }).describe(description)
}

export type TimedStep = z.output<typeof timedStepSchema>

type Untimed<Step> = Step extends TimedStep ? Omit<Step, 'at'> : never

export type TraceStep = Untimed<TimedStep>

/** Fields with text of the caller or of the page, which zero retention forbids to store. */
export const privateFields: ReadonlySet<string> = new Set([
  ...['message', 'reason', 'url', 'warnings', 'leftOut', 'answer', 'contentType'],
])
