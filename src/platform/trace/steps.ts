import { z } from 'zod'

/** The steps that the trace of a job is made of. Words of the caller or of the page stand in the fields of `privateFields` alone. */

const count = z.number().int().nonnegative()
const milliseconds = count.describe('Milliseconds.')
const at = count.describe('Milliseconds since the job was started.')
const engine = z.string().describe('http or chromium.')
const proxy = z.enum(['basic', 'enhanced'])

export const timedStep = z
  .discriminatedUnion('step', [
    step('plan', 'What the call asks for.', {
      formats: z.array(z.string()),
      cache: z.enum(['read', 'only', 'not read']),
      keeps: z.boolean().describe('Whether the page is kept in the cache.'),
      proxy: z.enum(['basic', 'enhanced', 'auto']),
      timeoutMs: milliseconds,
      browserFor: z.string().optional().describe('Why only a browser can serve the call.'),
      onlyMainContent: z.boolean(),
      includeTags: count,
      excludeTags: count,
      waitForMs: milliseconds,
      actions: count,
    }),
    step('queue', 'How long the call waited for one of the slots of its team.', {
      waitedMs: milliseconds,
    }),
    step('cache', 'What the cache had, and when that was fetched.', {
      result: z.enum(['hit', 'miss']),
      fetchedAt: count.optional(),
    }),
    step('robots', 'What robots.txt says of a page of a crawl.', {
      result: z.enum(['allowed', 'denied', 'ignored']),
      message: z.string().optional(),
    }),
    step('sitemaps', 'What a crawl or a map found in the sitemaps of its site.', {
      mode: z.enum(['include', 'skip', 'only']),
      files: count.describe('Sitemaps and feeds that could be read.'),
      found: count.describe('Addresses that they name.'),
      message: z.string().optional(),
    }),
    step('fetch', 'One attempt to fetch the page.', {
      engine,
      proxy,
      ms: milliseconds,
      result: z.enum(['page', 'file', 'error']),
      status: count.optional(),
      url: z.string().optional().describe('Where the page was found, if not where it was asked for.'),
      contentType: z.string().optional(),
      characters: count.optional().describe('Of a page that a browser has drawn.'),
      bytes: count.optional(),
      code: z.string().optional(),
      phase: z.string().optional(),
      message: z.string().optional(),
    }),
    step('verdict', 'Whether what came is the page that was asked for.', {
      kind: z.enum(['good', 'needs-browser', 'blocked']),
      reason: z.string().optional(),
    }),
    step('wait', 'How the browser waited for the page to be complete.', {
      endedBy: z.enum(['at rest', 'out of time']),
      ms: milliseconds,
    }),
    step('consent', 'A dialog about consent was on the page.', {
      answer: z.string(),
    }),
    step('action', 'One action on the page.', {
      index: count,
      type: z.string(),
      ms: milliseconds,
      result: z.enum(['done', 'failed']),
    }),
    step('read', 'How much of the page became content.', {
      pageCharacters: count.describe('Text that the page shows.'),
      keptCharacters: count.describe('Text that was kept of it.'),
      leftOut: z
        .array(z.object({ reason: z.string(), characters: count, parts: count }))
        .describe('Text that was left out, by reason.'),
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
    step('write', 'The formats were made.', {
      ms: milliseconds,
      markdownCharacters: count.optional(),
      warnings: z.array(z.string()),
    }),
    step('omitted', 'There were more steps than a trace keeps.', {
      steps: count,
    }),
  ])
  .meta({ id: 'TraceStep' })

function step<Name extends string, Fields extends z.ZodRawShape>(name: Name, about: string, fields: Fields) {
  return z.object({ step: z.literal(name), at, ...fields }).describe(about)
}

/** A step and when it was noted. */
export type TimedStep = z.output<typeof timedStep>

type Untimed<Step> = Step extends TimedStep ? Omit<Step, 'at'> : never

export type TraceStep = Untimed<TimedStep>

/** Fields with words of the caller or of the page: nothing of them is kept of a call with zero retention. */
export const privateFields: ReadonlySet<string> = new Set([
  ...['message', 'reason', 'url', 'warnings', 'leftOut', 'answer', 'contentType'],
])
