import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { type JobChange, useTeamEvents } from '../api/team-events.ts'
import { type Call, type CallFilter, readCalls } from './calls.ts'

/** Calls by cursor. States change as events report them; new calls are counted and not pushed under the reader's hand. */
export function useCalls({ endpoint, state }: { endpoint: string; state: string }) {
  const filter: CallFilter = { endpoint: endpoint || undefined, state: state || undefined }
  const found = useInfiniteQuery({
    queryKey: ['calls', filter],
    queryFn: ({ pageParam }) => readCalls(filter, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
  })
  const [heard, setHeard] = useState<ReadonlyMap<string, JobChange>>(new Map())
  const onJob = useCallback((change: JobChange) => {
    if (change.parentId === null) setHeard((before) => new Map(before).set(change.id, change))
  }, [])
  useTeamEvents({ job: onJob })
  const read = found.data?.pages.flatMap(({ data }) => data) ?? []
  const known = new Set(read.map(({ id }) => id))
  const isWanted = ({ kind, state: is }: JobChange) =>
    (endpoint === '' || kind === endpoint) && (state === '' || is === state)
  const fresh = [...heard.values()].filter((change) => !known.has(change.id) && isWanted(change)).length
  const again = () => {
    setHeard(new Map())
    void found.refetch()
  }
  return {
    calls: read.map((call) => changed(call, heard.get(call.id))),
    fresh,
    error: found.error,
    isPending: found.isPending,
    isFetching: found.isFetching,
    hasMore: found.hasNextPage,
    more: () => void found.fetchNextPage(),
    again,
  }
}

function changed(call: Call, change: JobChange | undefined): Call {
  if (!change) return call
  const { state, code } = change
  return { ...call, state, ...(code === undefined ? {} : { code }) }
}
