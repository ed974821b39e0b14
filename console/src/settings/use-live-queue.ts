import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useEvents } from '../api/events.ts'
import { queueKey } from './team-queries.ts'

/** A busy team has many events in a second; the queue is read again at most this often. */
const pause = 2000

/** Keeps the figures of the queue true by the events of the team's jobs. */
export function useLiveQueue(): void {
  const queries = useQueryClient()
  const timer = useRef<number>(undefined)
  const onEvent = useCallback(() => {
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined
      void queries.invalidateQueries({ queryKey: queueKey })
    }, pause)
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
