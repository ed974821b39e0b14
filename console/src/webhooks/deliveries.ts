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

const deliveriesQueryKey = ['deliveries']

export function useDeliveries(filter: { state: DeliveryState | undefined; jobId: string | undefined }) {
  return useInfiniteQuery({
    queryKey: [...deliveriesQueryKey, filter],
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
    queryKey: [...deliveriesQueryKey, id],
    queryFn: async () =>
      (
        await request<GetWebhooksDeliveriesByIdResponse>(
          'GET',
          apiPath('/v2/webhooks/deliveries/{id}', { id }),
        )
      ).data,
  })
}

/** Returns a function that refetches deliveries now and after a delay, because the receiver responds later. */
function useRefetch() {
  const queries = useQueryClient()
  const refetch = () => queries.invalidateQueries({ queryKey: deliveriesQueryKey })
  return async () => {
    await refetch()
    for (const delayMs of [1500, 6000]) setTimeout(refetch, delayMs)
  }
}

export function useResendDelivery() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (id: string) =>
      request('POST', apiPath('/v2/webhooks/deliveries/{id}/replay', { id }), { body: {} }),
    onSuccess: refetch,
  })
}

export function useSendTestEvent() {
  const refetch = useRefetch()
  return useMutation({
    mutationFn: (webhook: Webhook) =>
      request<PostWebhooksTestResponse>('POST', '/v2/webhooks/test', { body: { webhook } }),
    onSuccess: refetch,
  })
}
