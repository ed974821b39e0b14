import { useQuery } from '@tanstack/react-query'
import type {
  GetTeamCreditUsageResponse,
  GetTeamMeResponse,
  GetTeamQueueStatusResponse,
  GetTeamTokenUsageResponse,
} from '../../../client/src/types.ts'
import { request, WinnowError } from '../api/request.ts'

export function useMe() {
  return useQuery({
    queryKey: ['team', 'me'],
    queryFn: async () => (await request<GetTeamMeResponse>('GET', '/v2/team/me')).data,
  })
}

export function useCredits() {
  return useQuery({
    queryKey: ['team', 'credits'],
    queryFn: async () => (await request<GetTeamCreditUsageResponse>('GET', '/v2/team/credit-usage')).data,
  })
}

export function useModelTokens() {
  return useQuery({
    queryKey: ['team', 'tokens'],
    queryFn: async () =>
      (await request<GetTeamTokenUsageResponse>('GET', '/v2/team/token-usage')).data.modelTokens,
  })
}

export const queueKey = ['team', 'queue']

export function useQueueStatus() {
  return useQuery({
    queryKey: queueKey,
    queryFn: () => request<GetTeamQueueStatusResponse>('GET', '/v2/team/queue-status'),
    refetchOnWindowFocus: true,
  })
}

interface Health {
  status: string
  parts: Record<string, string>
}

/** Queries the readiness. A service that is not ready returns 503 with the same body. */
export function useHealth() {
  return useQuery({
    queryKey: ['health'],
    queryFn: async (): Promise<Health> => {
      try {
        return await request<Health>('GET', '/health/ready')
      } catch (thrown) {
        if (thrown instanceof WinnowError && thrown.body.parts) return thrown.body as unknown as Health
        throw thrown
      }
    },
    retry: false,
    refetchOnWindowFocus: true,
  })
}
