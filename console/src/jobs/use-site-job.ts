import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { apiPath } from '../../../client/src/api-path.ts'
import type { ServerEvent } from '../../../client/src/event-stream.ts'
import type { Document, GetJobsTraceResponse, JobStatus, JobTrace } from '../../../client/src/types.ts'
import { useEvents } from '../api/events.ts'
import { request } from '../api/request.ts'
import { jobKinds } from './kinds.ts'
import { PageStream } from './page-stream.ts'

export interface SiteJobCounts {
  completed: number
  failed: number
  /** Number of pages that are known now. */
  total: number
  /** Recent pages per second; for a job that has ended, the average. */
  rate: number | undefined
  /** Estimated milliseconds until the known pages are done. */
  remainingMs: number | undefined
}

export type SiteKind = 'crawl' | 'batch'

export type SiteJobState = ReturnType<typeof useSiteJob>

const pollIntervalMs = 2000

/** Queries the status of a crawl or a batch, and subscribes to its pages. */
export function useSiteJob(kind: SiteKind, id: string) {
  const path = apiPath(`${jobKinds[kind].path}/{id}`, { id })
  const [pages] = useState(() => new PageStream())
  const query = useQuery({
    queryKey: ['site-job', path],
    queryFn: () => fetchSnapshot(path, id),
    refetchInterval: ({ state: { data } }) => (data?.status.status === 'scraping' ? pollIntervalMs : false),
  })
  const { refetch } = query
  const onEvent = useCallback(
    ({ type, data }: ServerEvent) => {
      // Events of this stream are documents, or a status with documents.
      if (type === 'document') pages.add([data as Document])
      else pages.add((data as JobStatus).data)
      if (type === 'done') void refetch()
    },
    [pages, refetch],
  )
  useEvents(`${path}/events`, onEvent)
  const rows = useSyncExternalStore(pages.subscribe, pages.rows)
  const samples = useRef<Sample[]>([])
  const counts = useMemo(() => query.data && toCounts(query.data, samples.current), [query.data])
  return {
    path,
    rows,
    counts,
    status: query.data?.status,
    trace: query.data?.trace,
    error: query.error,
    refetch,
  }
}

interface JobSnapshot {
  status: JobStatus
  trace: JobTrace
  at: number
}

async function fetchSnapshot(path: string, id: string): Promise<JobSnapshot> {
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

const maxSamples = 10

function toCounts({ status, trace, at }: JobSnapshot, samples: Sample[]): SiteJobCounts {
  const failed = trace.pages?.failed ?? 0
  const { completed, total: notFailed } = status
  const total = notFailed + failed
  const done = completed + failed
  if (status.status !== 'scraping') {
    const rate = status.duration ? done / status.duration : undefined
    return { completed, failed, total, rate, remainingMs: undefined }
  }
  if (samples.at(-1)?.at !== at) samples.push({ at, done })
  if (samples.length > maxSamples) samples.shift()
  // With a single sample, measure from the start of the job.
  const firstSample = samples.length > 1 ? samples[0] : { at: Date.parse(status.createdAt), done: 0 }
  const rate =
    firstSample && at > firstSample.at
      ? (1000 * (done - firstSample.done)) / (at - firstSample.at)
      : undefined
  return { completed, failed, total, rate, remainingMs: rate ? (1000 * (total - done)) / rate : undefined }
}
