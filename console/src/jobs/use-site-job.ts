import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { apiPath } from '../../../client/src/api-path.ts'
import type { ServerEvent } from '../../../client/src/event-stream.ts'
import type { Document, GetJobsTraceResponse, JobStatus, JobTrace } from '../../../client/src/types.ts'
import { useEvents } from '../api/events.ts'
import { request } from '../api/request.ts'
import { jobKinds } from './kinds.ts'
import { ArrivingPages } from './page-stream.ts'

export interface SiteJobCounts {
  completed: number
  failed: number
  /** All pages that are known now. */
  total: number
  /** Pages a second, lately; of a job that has ended, over all its time. */
  rate: number | undefined
  /** Milliseconds until the known pages are done, at this rate. */
  left: number | undefined
}

export type SiteKind = 'crawl' | 'batch'

export type SiteJobState = ReturnType<typeof useSiteJob>

const whileRunning = 2000

/** A crawl or a batch as it stands, and its pages as they arrive. */
export function useSiteJob(kind: SiteKind, id: string) {
  const path = apiPath(`${jobKinds[kind].path}/{id}`, { id })
  const [pages] = useState(() => new ArrivingPages())
  const state = useQuery({
    queryKey: ['site-job', path],
    queryFn: () => readState(path, id),
    refetchInterval: ({ state: { data } }) => (data?.status.status === 'scraping' ? whileRunning : false),
  })
  const { refetch } = state
  const onEvent = useCallback(
    ({ type, data }: ServerEvent) => {
      // The events of this stream are documents, or a status with documents.
      if (type === 'document') pages.add([data as Document])
      else pages.add((data as JobStatus).data)
      if (type === 'done') void refetch()
    },
    [pages, refetch],
  )
  useEvents(`${path}/events`, onEvent)
  const rows = useSyncExternalStore(pages.subscribe, pages.rows)
  const samples = useRef<Sample[]>([])
  const counts = useMemo(() => state.data && countsOf(state.data, samples.current), [state.data])
  return {
    path,
    rows,
    counts,
    status: state.data?.status,
    trace: state.data?.trace,
    error: state.error,
    refetch,
  }
}

interface ReadState {
  status: JobStatus
  trace: JobTrace
  at: number
}

async function readState(path: string, id: string): Promise<ReadState> {
  const [status, trace] = await Promise.all([
    request<JobStatus>('GET', path, { query: { limit: 1 } }),
    request<GetJobsTraceResponse>('GET', apiPath('/v2/jobs/{id}/trace', { id })),
  ])
  return { status, trace: trace.data, at: Date.now() }
}

interface Sample {
  at: number
  done: number
}

const samplesKept = 10

function countsOf({ status, trace, at }: ReadState, samples: Sample[]): SiteJobCounts {
  const failed = trace.pages?.failed ?? 0
  const { completed, total: notFailed } = status
  const total = notFailed + failed
  const done = completed + failed
  if (status.status !== 'scraping') {
    const rate = status.duration ? done / status.duration : undefined
    return { completed, failed, total, rate, left: undefined }
  }
  if (samples.at(-1)?.at !== at) samples.push({ at, done })
  if (samples.length > samplesKept) samples.shift()
  // Until there are two readings, the time since the start has to do.
  const first = samples.length > 1 ? samples[0] : { at: Date.parse(status.createdAt), done: 0 }
  const rate = first && at > first.at ? (1000 * (done - first.done)) / (at - first.at) : undefined
  return { completed, failed, total, rate, left: rate ? (1000 * (total - done)) / rate : undefined }
}
