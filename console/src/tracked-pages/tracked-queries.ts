import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type {
  GetTeamTrackedPagesByIdResponse,
  GetTeamTrackedPagesDiffResponse,
  GetTeamTrackedPagesResponse,
} from '../../../client/src/types.ts'
import { request } from '../api/request.ts'

const path = '/v2/team/tracked-pages'

export function useTrackedPages(search: string) {
  return useInfiniteQuery({
    queryKey: ['tracked', 'list', search],
    queryFn: ({ pageParam }) =>
      request<GetTeamTrackedPagesResponse>('GET', path, {
        query: { search: search === '' ? undefined : search, before: pageParam, limit: 50 },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  })
}

/** Queries the versions of a tracked page, newest first. */
export function useVersions(id: string) {
  return useQuery({
    queryKey: ['tracked', id],
    queryFn: async () =>
      (await request<GetTeamTrackedPagesByIdResponse>('GET', apiPath(`${path}/{id}`, { id }))).data.history,
  })
}

export function useDifference(id: string, pair: { from: string; to: string } | undefined) {
  return useQuery({
    queryKey: ['tracked', id, pair],
    enabled: pair !== undefined,
    queryFn: async () =>
      (
        await request<GetTeamTrackedPagesDiffResponse>('GET', apiPath(`${path}/{id}/diff`, { id }), {
          query: { ...pair },
        })
      ).data,
  })
}
