import { useCallback } from 'react'
import type { ServerEvent } from '../../../client/src/event-stream.ts'
import { useEvents } from './events.ts'

/** A job of the team has started or ended. */
export interface JobChange {
  id: string
  kind: string
  parentId: string | null
  state: 'running' | 'completed' | 'failed' | 'cancelled'
  target: string | null
  at: string
  code?: string
}

/** How the pages of a job of many stand. */
export interface JobProgress {
  id: string
  kind: string
  completed: number
  failed: number
  running: number
  queued: number
  at: string
}

interface Heard {
  job?: (change: JobChange) => void
  progress?: (progress: JobProgress) => void
}

/** What happens to the jobs of the team, while the component is shown. The functions must stay the same. */
export function useTeamEvents({ job, progress }: Heard): void {
  const hear = useCallback(
    ({ type, data }: ServerEvent) => {
      if (type === 'job') job?.(data as JobChange)
      if (type === 'progress') progress?.(data as JobProgress)
    },
    [job, progress],
  )
  useEvents('/v2/team/events', hear)
}
