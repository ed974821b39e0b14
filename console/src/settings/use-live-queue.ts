import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useEvents } from '../api/events.ts'
import { queueKey } from './team-queries.ts'

/** Minimum milliseconds between two refetches. A busy team produces many events per second. */
const refetchIntervalMs = 2000

/** Refetches the queue status after events of the team. */
export function useLiveQueue(): void {
  const queries = useQueryClient()
  const timer = useRef<number>(undefined)
  const onEvent = useCallback(() => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined
      void queries.invalidateQueries({ queryKey: queueKey })
    }, refetchIntervalMs)
  }, [queries])
  useEffect(
    () => () => {
      window.clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  useEvents('/v2/team/events', onEvent)
}
