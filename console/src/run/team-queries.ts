import { useQuery } from '@tanstack/react-query'
import { ApiError, request } from '../api/request.ts'

export interface Me {
  team: { id: string; name: string; concurrency: number; zeroDataRetention: boolean }
  keyHint: string | null
  isOperator: boolean
}

export function useMe() {
  return useQuery({
    queryKey: ['team', 'me'],
    queryFn: async () => (await request<{ data: Me }>('GET', '/v2/team/me')).data,
  })
}

export interface Credits {
  remainingCredits: number
  planCredits: number
  unlimited: boolean
  billingPeriodEnd: string | null
}

export function useCredits() {
  return useQuery({
    queryKey: ['team', 'credits'],
    queryFn: async () => (await request<{ data: Credits }>('GET', '/v2/team/credit-usage')).data,
  })
}

export interface ModelTokens {
  today: number
  todayLimit: number | null
  inputTokens: number
  outputTokens: number
  calls: number
}

export function useModelTokens() {
  return useQuery({
    queryKey: ['team', 'tokens'],
    queryFn: async () =>
      (await request<{ data: { modelTokens: ModelTokens } }>('GET', '/v2/team/token-usage')).data.modelTokens,
  })
}

export interface QueueStatus {
  jobsInQueue: number
  activeJobsInQueue: number
  waitingJobsInQueue: number
  maxConcurrency: number
  mostRecentSuccess: string | null
}

export const queueKey = ['team', 'queue']

export function useQueueStatus() {
  return useQuery({
    queryKey: queueKey,
    queryFn: () => request<QueueStatus>('GET', '/v2/team/queue-status'),
    refetchOnWindowFocus: true,
  })
}

export interface Capabilities {
  version: string
  features: { name: string; available: boolean; note: string; enable?: string }[]
}

export function useCapabilities() {
  return useQuery({
    queryKey: ['capabilities'],
    queryFn: () => request<Capabilities>('GET', '/v2/capabilities'),
  })
}

export interface Health {
  status: string
  parts: Record<string, string>
}

/** A service that is not ready answers 503, with the same body. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: async (): Promise<Health> => {
      try {
        return await request<Health>('GET', '/health/ready')
      } catch (thrown) {
        if (thrown instanceof ApiError && thrown.body.parts) return thrown.body as unknown as Health
        throw thrown
      }
    },
    retry: false,
    refetchOnWindowFocus: true,
  })
}
