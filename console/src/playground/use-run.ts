import { useCallback, useEffect, useRef, useState } from 'react'
import { request } from '../api/request.ts'

export interface Sent {
  path: string
  body: Record<string, unknown>
  file?: File
}

export type Run =
  | { state: 'idle' }
  | { state: 'running'; since: number }
  | { state: 'done'; ms: number; answer: Record<string, unknown>; sent: Sent }
  | { state: 'failed'; ms: number; error: unknown; sent: Sent }

/** One call at a time; a new one takes the place of the one before. */
export function useRun() {
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  const start = useCallback(async (sent: Sent) => {
    current.current?.abort()
    const ending = new AbortController()
    current.current = ending
    const since = performance.now()
    setRun({ state: 'running', since })
    try {
      const answer = await call(sent, ending.signal)
      if (!ending.signal.aborted) setRun({ state: 'done', ms: performance.now() - since, answer, sent })
    } catch (error) {
      if (!ending.signal.aborted) setRun({ state: 'failed', ms: performance.now() - since, error, sent })
    }
  }, [])
  const cancel = useCallback(() => {
    current.current?.abort()
    setRun({ state: 'idle' })
  }, [])
  return { run, start, cancel }
}

function call({ path, body, file }: Sent, signal: AbortSignal) {
  if (!file) return request<Record<string, unknown>>('POST', path, { body, signal })
  const form = new FormData()
  form.append('file', file, file.name)
  form.append('options', JSON.stringify(body))
  return request<Record<string, unknown>>('POST', path, { form, signal })
}
