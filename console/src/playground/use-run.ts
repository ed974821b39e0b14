import { useCallback, useEffect, useRef, useState } from 'react'
import { request } from '../api/request.ts'

export interface SentRequest {
  path: string
  body: Record<string, unknown>
  file?: File
}

export type Run =
  | { state: 'idle' }
  | { state: 'running'; since: number }
  | { state: 'done'; ms: number; response: Record<string, unknown>; sent: SentRequest }
  | { state: 'failed'; ms: number; error: unknown; sent: SentRequest }

/** Runs one call at a time. A new call aborts the previous one. */
export function useRun() {
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const current = useRef<AbortController>(undefined)
  useEffect(() => () => current.current?.abort(), [])
  const start = useCallback(async (sent: SentRequest) => {
    current.current?.abort()
    const controller = new AbortController()
    current.current = controller
    const since = performance.now()
    setRun({ state: 'running', since })
    try {
      const response = await sendRequest(sent, controller.signal)
      if (!controller.signal.aborted) setRun({ state: 'done', ms: performance.now() - since, response, sent })
    } catch (error) {
      if (!controller.signal.aborted) setRun({ state: 'failed', ms: performance.now() - since, error, sent })
    }
  }, [])
  const cancel = useCallback(() => {
    current.current?.abort()
    setRun({ state: 'idle' })
  }, [])
  return { run, start, cancel }
}

function sendRequest({ path, body, file }: SentRequest, signal: AbortSignal) {
  if (!file) return request<Record<string, unknown>>('POST', path, { body, signal })
  const form = new FormData()
  form.append('file', file, file.name)
  form.append('options', JSON.stringify(body))
  return request<Record<string, unknown>>('POST', path, { form, signal })
}
