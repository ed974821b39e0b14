import { z } from 'zod'

/** The steps that the trace of a job is made of. Words of the caller or of the page stand in the fields of `wordFields` alone. */

const count = z.number().int().nonnegative()
const milliseconds = count.describe('Milliseconds.')
const at = count.describe('Milliseconds since the job was started.')
const engine = z.string().describe('http or chromium.')
const proxy = z.enum(['basic', 'enhanced'])

const plan = z
  .object({
    step: z.literal('plan'),
    at,
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
  })
  .describe('What the call asks for.')

const queue = z
  .object({
    step: z.literal('queue'),
    at,
    waitedMs: milliseconds,
  })
  .describe('How long the call waited for one of the slots of its team.')

const cache = z
  .object({
    step: z.literal('cache'),
    at,
    result: z.enum(['hit', 'miss']),
    fetchedAt: count.optional(),
  })
  .describe('What the cache had, and when that was fetched.')

const robots = z
  .object({
    step: z.literal('robots'),
    at,
    result: z.enum(['allowed', 'denied', 'ignored']),
    message: z.string().optional(),
  })
  .describe('What robots.txt says of a page of a crawl.')

const sitemaps = z
  .object({
    step: z.literal('sitemaps'),
    at,
    mode: z.enum(['include', 'skip', 'only']),
    files: count.describe('Sitemaps and feeds that could be read.'),
    found: count.describe('Addresses that they name.'),
    message: z.string().optional(),
  })
  .describe('What a crawl or a map found in the sitemaps of its site.')

const fetch = z
  .object({
    step: z.literal('fetch'),
    at,
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
  })
  .describe('One attempt to fetch the page.')

const verdict = z
  .object({
    step: z.literal('verdict'),
    at,
    kind: z.enum(['good', 'needs-browser', 'blocked']),
    reason: z.string().optional(),
  })
  .describe('Whether what came is the page that was asked for.')

const wait = z
  .object({
    step: z.literal('wait'),
    at,
    endedBy: z.enum(['at rest', 'out of time']),
    ms: milliseconds,
  })
  .describe('How the browser waited for the page to be complete.')

const consent = z
  .object({
    step: z.literal('consent'),
    at,
    answer: z.string(),
  })
  .describe('A dialog about consent was on the page.')

const action = z
  .object({
    step: z.literal('action'),
    at,
    index: count,
    type: z.string(),
    ms: milliseconds,
    result: z.enum(['done', 'failed']),
  })
  .describe('One action on the page.')

const read = z
  .object({
    step: z.literal('read'),
    at,
    pageCharacters: count.describe('Text that the page shows.'),
    keptCharacters: count.describe('Text that was kept of it.'),
    leftOut: z
      .array(z.object({ reason: z.string(), characters: count, parts: count }))
      .describe('Text that was left out, by reason.'),
  })
  .describe('How much of the page became content.')

const convert = z
  .object({
    step: z.literal('convert'),
    at,
    type: z.string(),
    pages: count.optional(),
  })
  .describe('A file was converted.')

const model = z
  .object({
    step: z.literal('model'),
    at,
    ms: milliseconds,
    inputTokens: count,
    outputTokens: count,
  })
  .describe('One call of the language model.')

const write = z
  .object({
    step: z.literal('write'),
    at,
    ms: milliseconds,
    markdownCharacters: count.optional(),
    warnings: z.array(z.string()),
  })
  .describe('The formats were made.')

const omitted = z
  .object({
    step: z.literal('omitted'),
    at,
    steps: count,
  })
  .describe('There were more steps than a trace keeps.')

export const timedStep = z
  .discriminatedUnion('step', [
    ...([plan, queue, cache, robots, sitemaps, fetch, verdict, wait] as const),
    ...([consent, action, read, convert, model, write, omitted] as const),
  ])
  .meta({ id: 'TraceStep' })

/** A step and when it was noted. */
export type TimedStep = z.output<typeof timedStep>

type Untimed<Step> = Step extends TimedStep ? Omit<Step, 'at'> : never

export type TraceStep = Untimed<TimedStep>

/** Fields with words of the caller or of the page: nothing of them is kept of a call with zero retention. */
export const wordFields: ReadonlySet<string> = new Set([
  ...['message', 'reason', 'url', 'warnings', 'leftOut', 'answer', 'contentType'],
])
