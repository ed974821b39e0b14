import { setTimeout as wait } from 'node:timers/promises'
import type { Endpoint } from '../http/endpoint.ts'
import { asRecord } from './document-text.ts'
import type { ToolCall } from './tool.ts'

const shortestWait = 500
const longestWait = 3000

export interface Watched {
  read: Endpoint
  id: string
  seconds: number
  /** What the status is read with while it is watched: no pages. */
  query?: Record<string, string>
}

/** Reads how a job stands until it has ended or the time is over, and tells the client on the way. */
export async function watchJob(
  { call, signal, progress }: Pick<ToolCall<unknown>, 'call' | 'signal' | 'progress'>,
  { read, id, seconds, query }: Watched,
): Promise<Record<string, unknown>> {
  const until = performance.now() + seconds * 1000
  for (let pause = shortestWait; ; pause = Math.min(pause * 1.5, longestWait)) {
    const status = asRecord(await call(read, { params: { id }, ...(query ? { query } : {}) }))
    const { completed = 0, total = 0 } = status
    progress(Number(completed), Number(total), `${completed} of ${total} pages, ${status.status}`)
    const left = until - performance.now()
    if (!isUnderWay(status) || left <= 0) return status
    await wait(Math.min(pause, left), undefined, { signal })
  }
}

export function isUnderWay({ status }: Record<string, unknown>): boolean {
  return status === 'scraping' || status === 'processing'
}
