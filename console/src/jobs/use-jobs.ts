import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { GetCrawlActiveResponse } from '../../../client/src/types.ts'
import { type Call, readCalls } from '../activity/calls.ts'
import { request } from '../api/request.ts'
import { type JobChange, type JobProgress, useTeamEvents } from '../api/team-events.ts'
import { type JobKind, jobKindNames, jobKindOf, jobKinds } from './kinds.ts'

export interface JobItem {
  id: string
  kind: JobKind
  target: string | null
  state: string
  createdAt: string
  progress?: JobProgress
}

const queryKey = ['work']

/** Crawls, batches, extracts and agents of the last day, and crawls that still run from before, newest first. */
export function useJobs() {
  const found = useQuery({ queryKey, queryFn: readWork })
  const live = useLiveJobs()
  const items = (found.data ?? []).map((item): JobItem => {
    const progress = live.progress.get(item.id)
    return { ...item, state: live.states.get(item.id) ?? item.state, ...(progress ? { progress } : {}) }
  })
  return { ...found, items }
}

async function readWork(): Promise<JobItem[]> {
  const [active, ...pages] = await Promise.all([
    request<GetCrawlActiveResponse>('GET', '/v2/crawl/active'),
    ...jobKindNames.map((kind) => readCalls({ endpoint: jobKinds[kind].endpoint }, undefined, 50)),
  ])
  const found = new Map<string, JobItem>()
  for (const { id, url, created_at: createdAt } of active.crawls) {
    found.set(id, { id, kind: 'crawl', target: url, state: 'running', createdAt })
  }
  for (const call of pages.flatMap(({ data }) => data)) {
    const item = itemOf(call, found.has(call.id))
    if (item) found.set(item.id, item)
  }
  return [...found.values()].sort((one, other) => other.createdAt.localeCompare(one.createdAt))
}

function itemOf(call: Call, isActive: boolean): JobItem | undefined {
  const kind = jobKindOf(call.endpoint)
  if (!kind) return undefined
  const state = call.state ?? (isActive ? 'running' : 'ended')
  return { id: call.id, kind, target: call.target, state, createdAt: call.created_at }
}

/** What the stream of events has said since the page was opened. */
function useLiveJobs() {
  const client = useQueryClient()
  const [states, setStates] = useState<ReadonlyMap<string, string>>(new Map())
  const [progress, setProgress] = useState<ReadonlyMap<string, JobProgress>>(new Map())
  const onJob = useCallback(
    ({ id, kind, state }: JobChange) => {
      if (!jobKindOf(kind)) return
      setStates((before) => new Map(before).set(id, state))
      const known = client.getQueryData<JobItem[]>(queryKey)
      if (known && !known.some((item) => item.id === id)) void client.invalidateQueries({ queryKey })
    },
    [client],
  )
  const onProgress = useCallback(
    (told: JobProgress) => setProgress((before) => new Map(before).set(told.id, told)),
    [],
  )
  useTeamEvents({ job: onJob, progress: onProgress })
  return { states, progress }
}

export const isEnded = (state: string) => !['queued', 'running', 'scraping', 'processing'].includes(state)
