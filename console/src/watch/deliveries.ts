import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request } from '../api/request.ts'

export interface Attempt {
  at: string
  ms: number
  status?: number
  error?: string
}

export type DeliveryState = 'waiting' | 'delivered' | 'failed'

export interface Delivery {
  webhookId: string
  id: string
  type: string
  state: DeliveryState
  attempts: Attempt[]
  createdAt: string
  nextAttemptAt?: string
}

/** One delivery with what was sent, and where to. */
export interface DeliveryDetails extends Delivery {
  url?: string
  payload?: unknown
}

const all = ['deliveries']

export function useDeliveries(wish: { state: DeliveryState | undefined; jobId: string | undefined }) {
  return useInfiniteQuery({
    queryKey: [...all, wish],
    queryFn: ({ pageParam }) =>
      request<{ data: Delivery[]; cursor: string | null }>('GET', '/v2/webhooks/deliveries', {
        query: { ...wish, limit: 50, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    refetchOnWindowFocus: true,
  })
}

export function useDelivery(id: string) {
  return useQuery({
    queryKey: [...all, id],
    queryFn: async () =>
      (await request<{ data: DeliveryDetails }>('GET', `/v2/webhooks/deliveries/${encodeURIComponent(id)}`))
        .data,
  })
}

/** A receiver answers a moment later, and what was read before is then no longer true. */
function useRead() {
  const queries = useQueryClient()
  const read = () => queries.invalidateQueries({ queryKey: all })
  return async () => {
    await read()
    for (const wait of [1500, 6000]) setTimeout(read, wait)
  }
}

export function useReplay() {
  const read = useRead()
  return useMutation({
    mutationFn: (id: string) =>
      request('POST', `/v2/webhooks/deliveries/${encodeURIComponent(id)}/replay`, { body: {} }),
    onSuccess: read,
  })
}

export interface TestFire {
  url: string
  headers?: Record<string, string>
  metadata?: Record<string, unknown>
}

export function useTestFire() {
  const read = useRead()
  return useMutation({
    mutationFn: (webhook: TestFire) =>
      request<{ webhookId: string }>('POST', '/v2/webhooks/test', { body: { webhook } }),
    onSuccess: read,
  })
}
