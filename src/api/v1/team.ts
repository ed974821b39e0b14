import { z } from 'zod'
import { envelope } from '../endpoint.ts'
import {
  getActivity,
  getConcurrencyCheck,
  getCreditHistory,
  getCreditUsage,
  getQueueStatus,
  getTokenHistory,
  getTokenUsage,
} from '../endpoints/team.ts'
import { createV1Endpoint } from './translation.ts'

const period = { billing_period_start: z.string().nullable(), billing_period_end: z.string().nullable() }

interface Usage {
  data: {
    remainingCredits: number
    planCredits: number
    remainingTokens: number
    planTokens: number
    billingPeriodStart: string | null
    billingPeriodEnd: string | null
  }
}

const toV1Period = ({ data }: Usage) => ({
  billing_period_start: data.billingPeriodStart,
  billing_period_end: data.billingPeriodEnd,
})

export const getCreditUsageV1 = createV1Endpoint({
  endpoints: [getCreditUsage],
  response: envelope({
    data: z.object({ remaining_credits: z.int(), plan_credits: z.int(), ...period }),
  }),
  toV1: (usage: Usage) => ({
    success: true,
    data: {
      remaining_credits: usage.data.remainingCredits,
      plan_credits: usage.data.planCredits,
      ...toV1Period(usage),
    },
  }),
})

export const getTokenUsageV1 = createV1Endpoint({
  endpoints: [getTokenUsage],
  response: envelope({ data: z.object({ remaining_tokens: z.int(), plan_tokens: z.int(), ...period }) }),
  toV1: (usage: Usage) => ({
    success: true,
    data: {
      remaining_tokens: usage.data.remainingTokens,
      plan_tokens: usage.data.planTokens,
      ...toV1Period(usage),
    },
  }),
})

export const getCreditHistoryV1 = createV1Endpoint({
  endpoints: [getCreditHistory],
})

export const getTokenHistoryV1 = createV1Endpoint({
  endpoints: [getTokenHistory],
})

export const getQueueStatusV1 = createV1Endpoint({ endpoints: [getQueueStatus] })

export const getActivityV1 = createV1Endpoint({ endpoints: [getActivity] })

export const getConcurrencyCheckV1 = createV1Endpoint({ endpoints: [getConcurrencyCheck] })
