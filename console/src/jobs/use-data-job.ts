import { useQuery } from '@tanstack/react-query'
import { apiPath } from '../../../client/src/api-path.ts'
import type { AgentStatus, ExtractStatus } from '../../../client/src/types.ts'
import { request } from '../api/request.ts'
import { jobKinds } from './kinds.ts'

export type DataKind = 'extract' | 'agent'
export type DataStatus = ExtractStatus | AgentStatus

const pollIntervalMs = 2000

/** Queries an extract or an agent. Polls while it is running. */
export function useDataJob(kind: DataKind, id: string) {
  const path = apiPath(`${jobKinds[kind].path}/{id}`, { id })
  const { data, error, refetch } = useQuery({
    queryKey: ['data-job', path],
    queryFn: () => request<DataStatus>('GET', path),
    refetchInterval: ({ state }) => (state.data?.status === 'processing' ? pollIntervalMs : false),
  })
  return { path, status: data, error, refetch, isRunning: data?.status === 'processing' }
}
