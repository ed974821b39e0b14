import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { request } from '../api/request.ts'

/** A page whose versions are kept, because a scrape asked for changeTracking. */
export interface TrackedPage {
  id: string
  url: string
  tag: string | null
  isRedacted: boolean
  versions: number
  firstSeen: string
  lastSeen: string
  lastChange: string
  changeStatus: string | null
}

export interface Version {
  id: string
  at: string
  size: number | null
}

export interface Difference {
  isSame: boolean
  /** As git writes it; absent where both say the same. */
  diff?: string
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

/** The newest first. */
export function useVersions(id: string) {
  return useQuery({
    queryKey: ['tracked', id],
    queryFn: async () =>
      (await request<{ data: { history: Version[] } }>('GET', `${path}/${encodeURIComponent(id)}`)).data
        .history,
  })
}

export function useDifference(id: string, pair: { from: string; to: string } | undefined) {
  return useQuery({
    queryKey: ['tracked', id, pair],
    enabled: pair !== undefined,
    queryFn: async () =>
      (
        await request<{ data: Difference }>('GET', `${path}/${encodeURIComponent(id)}/diff`, {
          query: { ...pair },
        })
      ).data,
  })
}
