import { AppError, type ErrorCode } from '../platform/errors.ts'
import { repeat } from '../platform/functions.ts'
import { endWithoutResult, type JobRow } from '../store/jobs/jobs.ts'
import { findAbandoned, requeueJobs } from '../store/jobs/leases.ts'
import { findRunningParents } from '../store/jobs/parents.ts'
import { endedJob } from './ended-job.ts'
import { finishParent } from './finish-parent.ts'
import { maxAttempts } from './job.ts'
import { afterEnd, type RunDeps } from './run-job.ts'

type ReaperDeps = Pick<RunDeps, 'store' | 'clock' | 'log' | 'recordEnding' | 'parentHooks' | 'observeEnd'>

const intervalMs = 2000

export function startReaper(deps: ReaperDeps): { stop(): void } {
  return repeat(() => reap(deps), intervalMs, {
    failed: (cause) => deps.log.warn({ cause }, 'abandoned jobs could not be looked for'),
  })
}

export async function reap(deps: ReaperDeps): Promise<void> {
  const now = deps.clock.now()
  const requeued = await requeueJobs(deps.store, { leaseBefore: now, attemptsBelow: maxAttempts })
  if (requeued.length > 0) {
    deps.log.info({ jobs: requeued.length }, 'jobs of a process that ended are started again')
    deps.store.notify('queued', '')
  }
  for (const row of await findAbandoned(deps.store.query, now)) await endAbandoned(deps, row, now)
  for (const parent of await findRunningParents(deps.store.query)) await finishParent(deps, parent.id)
}

async function endAbandoned(deps: ReaperDeps, row: JobRow, now: number): Promise<void> {
  const error = new AppError(reasonFor(row))
  const isEnded = await deps.recordEnding(row, {
    ...endWithoutResult(row, {
      ...{ holder: row.leased_by ?? undefined, state: 'failed', error: error.toStored(), now },
    }),
    // The holder may have been slow and not dead, and have renewed its lease since the query.
    ...(row.lease_until === null ? {} : { leaseBefore: now }),
    input: row.foreground === 1 ? row.input : '{}',
  })
  if (!isEnded) return
  deps.observeEnd?.(endedJob(row, { state: 'failed', code: error.code, credits: 0, now }, undefined))
  await afterEnd(deps, row)
}

function reasonFor(row: JobRow): ErrorCode {
  if (row.foreground === 1) return 'JOB_INTERRUPTED'
  return row.state === 'running' ? 'JOB_ATTEMPTS_EXHAUSTED' : 'JOB_DEADLINE_PASSED'
}
