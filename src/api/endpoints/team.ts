import { z } from 'zod'
import { tokensPerCredit } from '../../accounts/prices.ts'
import { jobTrace } from '../../features/job-trace.ts'
import { publicJobStates } from '../../features/usage.ts'
import { boundedIntegerInQuery, boundedText } from '../../platform/bounded.ts'
import { endpointsOf, envelope, jobId, ok, pageOf } from '../endpoint.ts'
import { eventStream } from '../event-stream.ts'

const defineEndpoint = endpointsOf({ tag: 'Team' })
const period = { billingPeriodStart: z.string().nullable(), billingPeriodEnd: z.string().nullable() }
const unlimited = z
  .boolean()
  .describe('True if the team has no credit limit; the numbers are then placeholders.')

export const getCreditUsage = defineEndpoint({
  method: 'GET',
  path: '/v2/team/credit-usage',
  summary: 'Get the remaining credits of the team',
  response: envelope({
    data: z.object({ remainingCredits: z.int(), planCredits: z.int(), unlimited, ...period }),
  }),
  handle: async ({ app, team }) => ok({ data: await app.creditUsage(team) }),
})

const modelTokens = z
  .object({
    today: z.int().describe('Input and output tokens of today (UTC).'),
    todayLimit: z
      .int()
      .nullable()
      .describe('Maximum per day (MODEL_TOKENS_PER_TEAM_PER_DAY); null for no limit.'),
    inputTokens: z.int().describe('Tokens of this billing period, as counted by the model.'),
    outputTokens: z.int(),
    calls: z.int().describe('Requests to the model in this billing period.'),
  })
  .describe('Language model usage of the team, separate from credits.')

export const getTokenUsage = defineEndpoint({
  method: 'GET',
  path: '/v2/team/token-usage',
  summary: 'Get the remaining credits in tokens (1 credit = 15 tokens)',
  response: envelope({
    data: z.object({ remainingTokens: z.int(), planTokens: z.int(), unlimited, ...period, modelTokens }),
  }),
  async handle({ app, team }) {
    const { remainingCredits, planCredits, ...rest } = await app.creditUsage(team)
    return ok({
      data: {
        remainingTokens: remainingCredits * tokensPerCredit,
        planTokens: planCredits * tokensPerCredit,
        ...rest,
        modelTokens: await app.modelTokens(team),
      },
    })
  },
})

const historyQuery = z
  .object({
    byApiKey: boundedText('MAX_CURSOR_LENGTH')
      .pipe(z.stringbool())
      .default(false)
      .describe('One row per period and key.'),
    timeRange: z.enum(['day', 'week', 'month']).default('month').describe('Length of a period.'),
  })
  .refine((query) => !query.byApiKey || query.timeRange === 'month', 'byApiKey is possible by month only')

const periodRow = { startDate: z.string(), endDate: z.string(), apiKey: z.string().optional() }

export const getCreditHistory = defineEndpoint({
  method: 'GET',
  path: '/v2/team/credit-usage/historical',
  summary: 'List used credits per period, oldest first',
  query: historyQuery,
  response: envelope({
    periods: z.array(z.object({ ...periodRow, creditsUsed: z.int(), totalCredits: z.int() })),
  }),
  async handle({ app, team, query }) {
    const rows = await app.creditHistory(team, { range: query.timeRange, byApiKey: query.byApiKey })
    return ok({
      periods: rows.map(({ credits, ...row }) => ({ ...row, creditsUsed: credits, totalCredits: credits })),
    })
  },
})

export const getTokenHistory = defineEndpoint({
  method: 'GET',
  path: '/v2/team/token-usage/historical',
  summary: 'List used tokens per period, oldest first',
  query: historyQuery,
  response: envelope({
    periods: z.array(z.object({ ...periodRow, tokensUsed: z.int(), totalTokens: z.int() })),
    modelPeriods: z
      .array(z.object({ startDate: z.string(), endDate: z.string(), tokens: z.int() }))
      .describe('Language model tokens per period, input and output, of all keys.'),
  }),
  async handle({ app, team, query }) {
    const rows = await app.creditHistory(team, { range: query.timeRange, byApiKey: query.byApiKey })
    return ok({
      periods: rows.map(({ credits, ...row }) => ({
        ...row,
        tokensUsed: credits * tokensPerCredit,
        totalTokens: credits * tokensPerCredit,
      })),
      modelPeriods: await app.modelTokenHistory(team, query.timeRange),
    })
  },
})

export const getQueueStatus = defineEndpoint({
  method: 'GET',
  path: '/v2/team/queue-status',
  summary: 'Get the number of running and waiting jobs of the team',
  response: envelope({
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: z.string().nullable(),
  }),
  handle: async ({ app, team }) => ok(await app.queueStatus(team)),
})

export const getConcurrencyCheck = defineEndpoint({
  method: 'GET',
  path: '/v2/concurrency-check',
  summary: 'Get used and available concurrency slots',
  response: envelope({ concurrency: z.int(), maxConcurrency: z.int() }),
  async handle({ app, team }) {
    const status = await app.queueStatus(team)
    return ok({ concurrency: status.activeJobsInQueue, maxConcurrency: status.maxConcurrency })
  },
})

export const getMe = defineEndpoint({
  method: 'GET',
  path: '/v2/team/me',
  summary: 'Get the team and the key of this request',
  response: envelope({
    data: z.object({
      team: z.object({
        id: z.string(),
        name: z.string(),
        concurrency: z.int().describe('Maximum number of concurrent jobs of the team.'),
        zeroDataRetention: z.boolean().describe('True if requests may use zero data retention.'),
        searchIndex: z
          .boolean()
          .describe('True if stored pages of the team are indexed, so its searches find them.'),
      }),
      keyHint: z.string().nullable().describe('Prefix of the key; null if AUTH=off.'),
      isOperator: z.boolean().describe('True if this key can also call /v2/operator.'),
    }),
  }),
  handle: async ({ app, team }) => ok({ data: await app.whoAmI(team) }),
})

const counts = z.record(z.string(), z.int())

export const getDailyUsage = defineEndpoint({
  method: 'GET',
  path: '/v2/team/usage',
  summary: 'List credits and calls of the team per day, oldest first',
  query: z.object({
    days: boundedIntegerInQuery('MAX_USAGE_DAYS', 1).default(30).describe('Number of days, including today.'),
  }),
  response: envelope({
    data: z.array(
      z.object({
        date: z.string().describe('Date in UTC.'),
        credits: z.int().describe('Charged credits minus refunds.'),
        creditsByKind: counts.describe('Credits by kind of job; refunds have a separate kind.'),
        calls: z.int(),
        callsByState: counts.describe('Calls of this day by state.'),
      }),
    ),
  }),
  handle: async ({ app, team, query }) => ok({ data: await app.dailyUsage(team, query.days) }),
})

const kinds = [
  'scrape',
  'crawl',
  'batch_scrape',
  'search',
  'extract',
  'llmstxt',
  'deep_research',
  'map',
  'agent',
  'browser',
  'interact',
  'parse',
  'research',
  'developer_search',
] as const

/** Page size. Values out of range are clamped, and a non-number means the default, as clients of this route expect. */
const pageSize = boundedText('MAX_CURSOR_LENGTH')
  .optional()
  .transform((value) => {
    const size = Math.trunc(Number(value ?? 50))
    return Number.isFinite(size) ? Math.min(100, Math.max(1, size)) : 50
  })

export const getActivity = defineEndpoint({
  method: 'GET',
  path: '/v2/team/activity',
  summary: 'List the calls of the team in the last 24 hours, newest first',
  query: z.object({
    endpoint: z.enum(kinds).optional().describe('Only calls of this kind.'),
    state: z.enum(publicJobStates).optional().describe('Only calls in this state.'),
    limit: pageSize.describe('Calls per page, 1 to 100. Default: 50.'),
    cursor: boundedText('MAX_CURSOR_LENGTH').optional().describe('Cursor of the previous page.'),
  }),
  response: pageOf(
    z.object({
      id: z.string(),
      endpoint: z.string(),
      api_version: z.string(),
      created_at: z.string(),
      target: z.string().nullable(),
      state: z.enum(publicJobStates),
      code: z.string().optional().describe('Error code of a failed call.'),
    }),
  ),
  handle: async ({ app, team, query }) => ok(await app.activity(team, query)),
})

export const getJobTrace = endpointsOf({ tag: 'Jobs' })({
  method: 'GET',
  path: '/v2/jobs/{id}/trace',
  summary: 'Get the trace of a job: plan, attempts, waits, sizes, warnings, webhook deliveries',
  params: jobId,
  response: envelope({ data: jobTrace }),
  errors: ['INVALID_JOB_ID', 'JOB_NOT_FOUND'],
  handle: async ({ app, team, params }) => ok({ data: await app.jobTrace(team, params.id) }),
})

export const getTeamEvents = defineEndpoint({
  method: 'GET',
  path: '/v2/team/events',
  summary: 'Stream the jobs of the team as they start and end, as server-sent events',
  response: z.never(),
  streams: {
    types: ['text/event-stream'],
    description:
      'Events `job`: {id, kind, parentId, state (running, completed, failed, cancelled), target, at, code?} at the start and the end of each requested job. Events `progress`: {id, kind, completed, failed, running, queued, at} after pages of a crawl, a batch or another multi-page job have ended, at most once a second per job. A comment is sent every 15 seconds. Events are not replayed: after a lost connection, read /v2/team/activity.',
  },
  handle: ({ app, team, signal, stopping }) =>
    eventStream((onEvent) => app.teamEvents.join(team.id, onEvent), AbortSignal.any([signal(), stopping])),
})
