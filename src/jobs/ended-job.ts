import type { TimedStep } from '../platform/trace/steps.ts'
import type { TraceRecorder } from '../platform/trace/trace.ts'
import type { JobRow } from '../store/jobs/jobs.ts'

export interface EndedJobRecord {
  id: string
  kind: string
  parentId: string | null
  state: 'completed' | 'failed' | 'cancelled'
  code: string | undefined
  credits: number
  startedAt: number
  endedAt: number
  steps: readonly TimedStep[]
  target: string | null
  mayStoreText: boolean
}

/** Observer of every job that ends in this process. It must not throw. */
export type ObserveEnd = (job: EndedJobRecord) => void

type EndedRow = Pick<JobRow, 'id' | 'kind' | 'parent_id' | 'retain' | 'target'>

export function endedJob(
  row: EndedRow,
  end: Pick<EndedJobRecord, 'state' | 'code' | 'credits'> & { now: number },
  trace: TraceRecorder | undefined,
): EndedJobRecord {
  const { now, ...outcome } = end
  const mayStoreText = row.retain === 1
  return {
    ...{ id: row.id, kind: row.kind, parentId: row.parent_id },
    ...outcome,
    ...{ startedAt: now - (trace?.elapsed() ?? 0), endedAt: now, steps: trace?.steps() ?? [] },
    ...{ target: mayStoreText ? row.target : null, mayStoreText },
  }
}
