import { useCallback } from 'react'
import type { ServerEvent } from '../../../client/src/event-stream.ts'
import { useEvents } from './events.ts'

/** Event for a job of the team that has started or ended. */
export interface JobChange {
  id: string
  kind: string
  parentId: string | null
  state: 'running' | 'completed' | 'failed' | 'cancelled'
  target: string | null
  at: string
  code?: string
}

/** Event with the page counts of a running crawl or batch. */
export interface JobProgress {
  id: string
  kind: string
  completed: number
  failed: number
  running: number
  queued: number
  at: string
}

interface TeamEventCallbacks {
  job?: (change: JobChange) => void
  progress?: (progress: JobProgress) => void
}

/** Subscribes to the job events of the team while the component is mounted. The callbacks must be memoised. */
export function useTeamEvents({ job, progress }: TeamEventCallbacks): void {
  const onEvent = useCallback(
    ({ type, data }: ServerEvent) => {
      if (type === 'job') job?.(data as JobChange)
      if (type === 'progress') progress?.(data as JobProgress)
    },
    [job, progress],
  )
  useEvents('/v2/team/events', onEvent)
}
