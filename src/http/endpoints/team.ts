import { z } from 'zod'
import { tokensPerCredit } from '../../accounts/prices.ts'
import { text } from '../../base/bounded.ts'
import { defineEndpoint, envelope, ok } from '../endpoint.ts'

const period = { billingPeriodStart: z.string().nullable(), billingPeriodEnd: z.string().nullable() }
const unlimited = z.boolean().describe('True: nothing is deducted, and the numbers are only large.')

export const getCreditUsage = defineEndpoint({
  method: 'GET',
  path: '/v2/team/credit-usage',
  summary: 'Credits the team has left',
  tag: 'Team',
  response: envelope({
    data: z.object({ remainingCredits: z.int(), planCredits: z.int(), unlimited, ...period }),
  }),
  errors: [],
  async handle({ app, team }) {
    return ok({ data: await app.creditUsage(team) })
  },
})

const modelTokens = z
  .object({
    today: z.int().describe('Input and output of today (UTC).'),
    todayLimit: z
      .int()
      .nullable()
      .describe('The most per day (MODEL_TOKENS_PER_TEAM_PER_DAY); null: no limit.'),
    inputTokens: z.int().describe('In this billing period, as the model counts.'),
    outputTokens: z.int(),
    calls: z.int().describe('Requests to the model in this billing period.'),
  })
  .describe('What the calls of the team used of the language model. It is counted apart from credits.')

export const getTokenUsage = defineEndpoint({
  method: 'GET',
  path: '/v2/team/token-usage',
  summary: 'The same in tokens; a credit is fifteen tokens',
  tag: 'Team',
  response: envelope({
    data: z.object({ remainingTokens: z.int(), planTokens: z.int(), unlimited, ...period, modelTokens }),
  }),
  errors: [],
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
    byApiKey: text('MAX_CURSOR_LENGTH')
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
  summary: 'Credits used per period, oldest first',
  tag: 'Team',
  query: historyQuery,
  response: envelope({
    periods: z.array(z.object({ ...periodRow, creditsUsed: z.int(), totalCredits: z.int() })),
  }),
  errors: [],
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
  summary: 'Tokens used per period, oldest first',
  tag: 'Team',
  query: historyQuery,
  response: envelope({
    periods: z.array(z.object({ ...periodRow, tokensUsed: z.int(), totalTokens: z.int() })),
    modelPeriods: z
      .array(z.object({ startDate: z.string(), endDate: z.string(), tokens: z.int() }))
      .describe('Tokens of the language model per period, input and output, of all keys.'),
  }),
  errors: [],
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
  summary: 'Jobs of the team that run and wait',
  tag: 'Team',
  response: envelope({
    jobsInQueue: z.int(),
    activeJobsInQueue: z.int(),
    waitingJobsInQueue: z.int(),
    maxConcurrency: z.int(),
    mostRecentSuccess: z.string().nullable(),
  }),
  errors: [],
  async handle({ app, team }) {
    return ok(await app.queueStatus(team))
  },
})

export const getConcurrencyCheck = defineEndpoint({
  method: 'GET',
  path: '/v2/concurrency-check',
  summary: 'Slots of the team that are taken, and how many it has',
  tag: 'Team',
  response: envelope({ concurrency: z.int(), maxConcurrency: z.int() }),
  errors: [],
  async handle({ app, team }) {
    const status = await app.queueStatus(team)
    return ok({ concurrency: status.activeJobsInQueue, maxConcurrency: status.maxConcurrency })
  },
})
