import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type {
  Delivery,
  GetWebhooksDeliveriesByIdResponse,
  GetWebhooksDeliveriesResponse,
  PostWebhooksTestResponse,
  Webhook,
} from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

export type { Delivery }
export type Attempt = Delivery['attempts'][number]
export type DeliveryState = Delivery['state']

const all = ['deliveries']

export function useDeliveries(filter: { state: DeliveryState | undefined; jobId: string | undefined }) {
  return useInfiniteQuery({
    queryKey: [...all, filter],
    queryFn: ({ pageParam }) =>
      request<GetWebhooksDeliveriesResponse>('GET', '/v2/webhooks/deliveries', {
        query: { ...filter, limit: 50, cursor: pageParam },
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
      (
        await request<GetWebhooksDeliveriesByIdResponse>(
          'GET',
          apiPath('/v2/webhooks/deliveries/{id}', { id }),
        )
      ).data,
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
      request('POST', apiPath('/v2/webhooks/deliveries/{id}/replay', { id }), { body: {} }),
    onSuccess: read,
  })
}

export function useTestFire() {
  const read = useRead()
  return useMutation({
    mutationFn: (webhook: Webhook) =>
      request<PostWebhooksTestResponse>('POST', '/v2/webhooks/test', { body: { webhook } }),
    onSuccess: read,
  })
}
