import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type JobChange, useTeamEvents } from '../api/team-events.ts'
import { type Call, type CallFilter, fetchCalls } from './calls.ts'

/** Queries calls by cursor. Events update states; new calls are only counted, so that the list does not move. */
export function useCalls({ endpoint, state }: { endpoint: string; state: string }) {
  const filter: CallFilter = { endpoint: endpoint || undefined, state: state || undefined }
  const query = useInfiniteQuery({
    queryKey: ['calls', filter],
    queryFn: ({ pageParam }) => fetchCalls(filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  })
  const [changes, setChanges] = useState<ReadonlyMap<string, JobChange>>(new Map())
  const onJob = useCallback((change: JobChange) => {
    if (change.parentId === null) setChanges((previous) => new Map(previous).set(change.id, change))
  }, [])
  useTeamEvents({ job: onJob })
  const loadedCalls = query.data?.pages.flatMap(({ data }) => data) ?? []
  const loadedIds = new Set(loadedCalls.map(({ id }) => id))
  const matchesFilter = ({ kind, state: jobState }: JobChange) =>
    (endpoint === '' || kind === endpoint) && (state === '' || jobState === state)
  const newCount = [...changes.values()].filter(
    (change) => !loadedIds.has(change.id) && matchesFilter(change),
  ).length
  const refresh = () => {
    setChanges(new Map())
    void query.refetch()
  }
  return {
    calls: loadedCalls.map((call) => withChange(call, changes.get(call.id))),
    newCount,
    error: query.error,
    isPending: query.isPending,
    isFetching: query.isFetching,
    hasMore: query.hasNextPage,
    loadMore: () => void query.fetchNextPage(),
    refresh,
  }
}

function withChange(call: Call, change: JobChange | undefined): Call {
  if (!change) return call
  const { state, code } = change
  return { ...call, state, ...(code === undefined ? {} : { code }) }
}
