import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { GetCrawlActiveResponse } from '../../../client/src/types.ts'
import { type Call, fetchCalls } from '../activity/calls.ts'
import { request } from '../api/request.ts'
import { type JobChange, type JobProgress, useTeamEvents } from '../api/team-events.ts'
import { findJobKind, type JobKind, jobKindNames, jobKinds } from './kinds.ts'

export interface JobItem {
  id: string
  kind: JobKind
  target: string | null
  state: string
  createdAt: string
  progress?: JobProgress
}

const jobsQueryKey = ['jobs']

/** Queries crawls, batches, extracts and agents of the last 24 hours, and all running crawls, newest first. */
export function useJobs() {
  const query = useQuery({ queryKey: jobsQueryKey, queryFn: fetchJobs })
  const liveJobs = useLiveJobs()
  const items = (query.data ?? []).map((item): JobItem => {
    const progress = liveJobs.progress.get(item.id)
    return { ...item, state: liveJobs.states.get(item.id) ?? item.state, ...(progress ? { progress } : {}) }
  })
  return { ...query, items }
}

async function fetchJobs(): Promise<JobItem[]> {
  const [active, ...callPages] = await Promise.all([
    request<GetCrawlActiveResponse>('GET', '/v2/crawl/active'),
    ...jobKindNames.map((kind) => fetchCalls({ endpoint: jobKinds[kind].endpoint }, undefined, 50)),
  ])
  const items = new Map<string, JobItem>()
  for (const { id, url, created_at: createdAt } of active.crawls) {
    items.set(id, { id, kind: 'crawl', target: url, state: 'running', createdAt })
  }
  for (const call of callPages.flatMap(({ data }) => data)) {
    const item = toJobItem(call, items.has(call.id))
    if (item) items.set(item.id, item)
  }
  return [...items.values()].sort((left, right) => right.createdAt.localeCompare(left.createdAt))
}

function toJobItem(call: Call, isActive: boolean): JobItem | undefined {
  const kind = findJobKind(call.endpoint)
  if (!kind) return undefined
  const state = call.state ?? (isActive ? 'running' : 'ended')
  return { id: call.id, kind, target: call.target, state, createdAt: call.created_at }
}

/** Collects job states and progress from the event stream since the page was opened. */
function useLiveJobs() {
  const queryClient = useQueryClient()
  const [states, setStates] = useState<ReadonlyMap<string, string>>(new Map())
  const [progress, setProgress] = useState<ReadonlyMap<string, JobProgress>>(new Map())
  const onJob = useCallback(
    ({ id, kind, state }: JobChange) => {
      if (!findJobKind(kind)) return
      setStates((previous) => new Map(previous).set(id, state))
      const cachedJobs = queryClient.getQueryData<JobItem[]>(jobsQueryKey)
      if (cachedJobs && !cachedJobs.some((item) => item.id === id))
        void queryClient.invalidateQueries({ queryKey: jobsQueryKey })
    },
    [queryClient],
  )
  const onProgress = useCallback(
    (event: JobProgress) => setProgress((previous) => new Map(previous).set(event.id, event)),
    [],
  )
  useTeamEvents({ job: onJob, progress: onProgress })
  return { states, progress }
}

export const isEnded = (state: string) => !['queued', 'running', 'scraping', 'processing'].includes(state)
