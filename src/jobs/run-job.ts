import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Activity } from '../platform/activity.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError, isStoreUnavailable, toAppError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { isShortJson, jsonBytes, jsonChunks, jsonSize } from '../platform/json/write-json.ts'
import type { Log } from '../platform/log.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { stripPrivateText } from '../platform/safe-errors.ts'
import { startTrace, type TraceRecorder } from '../platform/trace/trace.ts'
import { recordUnusedBlobs } from '../store/blob-names.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'
import { endedJob, type ObserveEnd } from './ended-job.ts'
import type { FinishJob } from './finish-jobs.ts'
import { finishParent, type ParentHooks } from './finish-parent.ts'
import type { Failure, JobKind, Outcome, RunningJob } from './job.ts'
import type { LeaseHolder } from './lease-holder.ts'
import type { Load } from './load-limiter.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

export interface RunDeps {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
  holder: LeaseHolder
  recordEnding: FinishJob
  parentHooks: ParentHooks
  load?: Pick<Load, 'beginCall' | 'yieldToForeground'>
  observeEnd?: ObserveEnd
  activity?: Activity
}

/** Maximum size of a result that is stored in its row. A larger result in a row would bloat the table. */
const maxInlineBytes = 512 * 1024

/** Only the lease holder can end a job, so it ends once and is charged once, however often it was started. */
export async function runJob<Input, Result>(
  deps: RunDeps,
  kind: JobKind<Input, Result>,
  started: Started<Input> & { row: JobRow; signal: AbortSignal },
): Promise<Outcome<Result>> {
  const { row, signal, waitedMs } = started
  const trace = startTrace()
  if (waitedMs !== undefined) trace.note({ step: 'queue', waitedMs })
  const job = runningJob(deps, row, { ...started, trace })
  const outcome = await attempt(deps, row, signal, () => kind.run(job, signal))
  // An unavailable store must not fail a background page, so throw: the page is started again later.
  if (row.foreground === 0 && 'error' in outcome && isStoreUnavailable(outcome.error)) throw outcome.error
  await endRun(deps, { ...row, input: JSON.stringify(kind.toRecordedInput(started.input)) }, outcome, trace)
  return outcome
}

/** The input in `row` remains stored. */
export async function endRun(deps: RunDeps, row: JobRow, outcome: Outcome<unknown>, trace?: TraceRecorder) {
  if (row.foreground === 0) await deps.load?.yieldToForeground()
  const isOwner = await record(deps, { ...row, trace: toStoredTrace(row, trace) }, outcome)
  deps.holder.release(row.id)
  if (!isOwner) return
  deps.observeEnd?.(endedJob(row, { ...endOf(outcome), now: deps.clock.now() }, trace))
  // The job has already ended, so errors are ignored. The reaper also ends parents.
  await afterEnd(deps, row).catch((cause) =>
    deps.log.warn({ cause }, 'the end of a job was not passed on to its parent; the reaper will do that'),
  )
}

type Started<Input> = Pick<RunningJob<Input>, 'input' | 'waitedMs' | 'spentMs'>

export function runningJob<Input>(
  { load }: Pick<RunDeps, 'load'>,
  row: JobRow,
  started: Started<Input> & Pick<RunningJob<Input>, 'trace'>,
): RunningJob<Input> {
  const { input, waitedMs, spentMs, trace } = started
  const isBackground = row.foreground === 0
  const yieldToForeground = isBackground && load ? load.yieldToForeground : nextTurn
  const { id, team_id: teamId, parent_id: parentId, key_id: keyId } = row
  return { id, teamId, parentId, keyId, isBackground, input, waitedMs, spentMs, yieldToForeground, trace }
}

export async function attempt<Result>(
  deps: Pick<RunDeps, 'log'>,
  row: JobRow,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result | Failure> {
  try {
    return await work()
  } catch (thrown) {
    const error = row.retain === 0 ? stripPrivateText(toAppError(thrown)) : toAppError(thrown)
    const isLost = signal.aborted && error.code === 'INTERNAL'
    if (error.code === 'INTERNAL' && !isLost)
      deps.log.error({ cause: error.cause ?? error, job: row.id }, 'a job failed')
    return { credits: 0, error: isLost ? new AppError('SCRAPE_JOB_CANCELLED') : error }
  }
}

const retryLimits = { foreground: 5000, background: 60_000 }

async function record(deps: RunDeps, row: JobRow, outcome: Outcome<unknown>): Promise<boolean> {
  const retryMs = row.foreground === 1 ? retryLimits.foreground : retryLimits.background
  const stored = await retryWhileUnavailable(() => storeResult(deps, row, outcome), retryMs)
  const ending = {
    id: row.id,
    holder: deps.holder.id,
    state: stateOf(outcome),
    credits: outcome.credits,
    ...stored,
    error: 'error' in outcome ? outcome.error.toStored() : undefined,
    trace: row.trace,
    now: deps.clock.now(),
    input: row.input,
    erase: row.retain === 0,
  }
  const isOwner = await retryWhileUnavailable(() => deps.recordEnding(row, ending, outcome.note), retryMs)
  if (isOwner || stored.resultBlob === null) return isOwner
  // The store may have recorded the end although its response was lost, and then received the retry.
  const current = await findJob(deps.store.query, row.id)
  if (current?.result_blob === stored.resultBlob) return true
  // The job was cancelled or taken over in the meantime, so no row refers to the new blob.
  await recordUnusedBlobs(deps.store.query, [stored.resultBlob], deps.clock.now())
  return false
}

export function toStoredTrace(row: Pick<JobRow, 'retain'>, trace: TraceRecorder | undefined): string | null {
  return trace?.toJson({ includesPrivateFields: row.retain === 1 }) ?? null
}

export function stateOf(outcome: Outcome<unknown>): 'completed' | 'failed' | 'cancelled' {
  if (!('error' in outcome)) return 'completed'
  return outcome.error.code === 'SCRAPE_JOB_CANCELLED' ? 'cancelled' : 'failed'
}

export function endOf(outcome: Outcome<unknown>) {
  const code = 'error' in outcome ? outcome.error.code : undefined
  return { state: stateOf(outcome), code, credits: outcome.credits }
}

export async function storeResult(deps: Pick<RunDeps, 'blobs'>, row: JobRow, outcome: Outcome<unknown>) {
  if ('error' in outcome || row.retain === 0) return { result: null, resultBlob: null }
  const { result } = outcome
  if (isShortJson(result, maxInlineBytes)) return { result: JSON.stringify(result), resultBlob: null }
  if (jsonSize(result, maxInlineBytes) <= maxInlineBytes) {
    return { result: (await jsonBytes(result)).toString(), resultBlob: null }
  }
  // The blob has a unique name per attempt, because another process that took the job over may write as well.
  const resultBlob = await deps.blobs.put(`results/${row.id}-${newId()}`, jsonChunks(result))
  return { result: null, resultBlob }
}

export async function afterEnd(
  deps: Pick<RunDeps, 'store' | 'clock' | 'parentHooks' | 'observeEnd'>,
  row: JobRow,
): Promise<void> {
  if (row.takes_slot === 1) deps.store.notify('slot', row.team_id)
  if (row.parent_id === null) return
  // The end of a child may have queued other jobs, and enqueued webhook events.
  deps.store.notify('queued', row.team_id)
  deps.store.notify('deliveries', '')
  // Runs after the commit. Inside the transaction, the last two children could each see the other child as running.
  await finishParent(deps, row.parent_id)
}
