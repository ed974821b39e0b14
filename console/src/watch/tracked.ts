import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { request } from '../api/request.ts'

/** A page whose versions are kept, because a scrape asked for changeTracking. */
export interface TrackedPage {
  id: string
  url: string
  tag?: string | null
  versions: number
  firstSeenAt: string
  lastSeenAt: string
  changeStatus?: string | null
}

export interface Version {
  at: string
  size: number
}

export interface Difference {
  text: string
}

const path = '/v2/team/tracked-pages'

export function useTrackedPages(search: string) {
  return useInfiniteQuery({
    queryKey: ['tracked', 'list', search],
    queryFn: ({ pageParam }) =>
      request<{ data: TrackedPage[]; cursor: string | null }>('GET', path, {
        query: { search: search === '' ? undefined : search, before: pageParam, limit: 50 },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  })
}

export function useVersions(id: string) {
  return useQuery({
    queryKey: ['tracked', id],
    queryFn: async () =>
      (await request<{ data: { versions: Version[] } }>('GET', `${path}/${encodeURIComponent(id)}`)).data
        .versions,
  })
}

/** Versions are named by their moment. */
export function useDifference(id: string, pair: { from: string; to: string } | undefined) {
  return useQuery({
    queryKey: ['tracked', id, pair],
    enabled: pair !== undefined,
    queryFn: async () =>
      (
        await request<{ data: { diff: Difference | null } }>(
          'GET',
          `${path}/${encodeURIComponent(id)}/diff`,
          { query: { ...pair } },
        )
      ).data.diff,
  })
}
