import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Activity } from '../platform/activity.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError, isStoreUnavailable, toAppError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import { isShort, jsonBytes, jsonChunks, jsonSize } from '../platform/json/write-json.ts'
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
  /** Undefined: nobody else is to be thought of. */
  load?: Pick<Load, 'callBegan' | 'giveWay'>
  observeEnd?: ObserveEnd
  /** Undefined: the main thread is not watched. */
  activity?: Activity
}

// Small results live in the row: one write fewer on the way back to the caller. Large ones would bloat the table.
const largestInRow = 512 * 1024

/**
 * Runs a job that this process holds and records how it ended. Ending and charging are one transaction, and only
 * the holder of the lease can end a job: however often it was started, it ends once and is charged once.
 */
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
  // Not the fault of a page that nobody waits for: it is started again when the store is back.
  if (row.foreground === 0 && 'error' in outcome && isStoreUnavailable(outcome.error)) throw outcome.error
  await endRun(deps, { ...row, input: JSON.stringify(kind.onRecord(started.input)) }, outcome, trace)
  return outcome
}

/** Records how a job ended that this process holds. What stands in the row as its input stays on record. */
export async function endRun(
  deps: RunDeps,
  row: JobRow,
  outcome: Outcome<unknown>,
  trace?: TraceRecorder,
): Promise<void> {
  if (row.foreground === 0) await deps.load?.giveWay()
  const wasOurs = await record(deps, { ...row, trace: toStoredTrace(row, trace) }, outcome)
  deps.holder.release(row.id)
  if (!wasOurs) return
  deps.observeEnd?.(endedJob(row, { ...endOf(outcome), now: deps.clock.now() }, trace))
  // It has ended, whatever becomes of this; the reaper looks after parents too.
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
  const giveWay = isBackground && load ? load.giveWay : nextTurn
  const { id, team_id: teamId, parent_id: parentId, key_id: keyId } = row
  return { id, teamId, parentId, keyId, isBackground, input, waitedMs, spentMs, giveWay, trace }
}

/** What the work came to: whatever it throws is an outcome too. */
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

/** How long the end of a job is tried to be written: where a caller waits for it, and where nobody does. */
const patience = { foreground: 5000, background: 60_000 }

async function record(deps: RunDeps, row: JobRow, outcome: Outcome<unknown>): Promise<boolean> {
  const most = row.foreground === 1 ? patience.foreground : patience.background
  const kept = await retryWhileUnavailable(() => keepResult(deps, row, outcome), most)
  const ending = {
    id: row.id,
    holder: deps.holder.id,
    state: stateOf(outcome),
    credits: outcome.credits,
    ...kept,
    error: 'error' in outcome ? outcome.error.toStored() : undefined,
    trace: row.trace,
    now: deps.clock.now(),
    input: row.input,
    forget: row.retain === 0,
  }
  const isOurs = await retryWhileUnavailable(() => deps.recordEnding(row, ending, outcome.note), most)
  if (isOurs || kept.resultBlob === null) return isOurs
  // The store may have taken the end without being able to say so, and be asked for it again.
  const current = await findJob(deps.store.query, row.id)
  if (current?.result_blob === kept.resultBlob) return true
  // Cancelled or taken over meanwhile: no row points to what was just written.
  await recordUnusedBlobs(deps.store.query, [kept.resultBlob], deps.clock.now())
  return false
}

/** What may stay of a trace. */
export function toStoredTrace(row: Pick<JobRow, 'retain'>, trace: TraceRecorder | undefined): string | null {
  return trace?.written({ areKept: row.retain === 1 }) ?? null
}

export function stateOf(outcome: Outcome<unknown>): 'completed' | 'failed' | 'cancelled' {
  if (!('error' in outcome)) return 'completed'
  return outcome.error.code === 'SCRAPE_JOB_CANCELLED' ? 'cancelled' : 'failed'
}

/** What is counted of an outcome. */
export function endOf(outcome: Outcome<unknown>) {
  const code = 'error' in outcome ? outcome.error.code : undefined
  return { state: stateOf(outcome), code, credits: outcome.credits }
}

export async function keepResult(deps: Pick<RunDeps, 'blobs'>, row: JobRow, outcome: Outcome<unknown>) {
  if ('error' in outcome || row.retain === 0) return { result: null, resultBlob: null }
  const { result } = outcome
  if (isShort(result, largestInRow)) return { result: JSON.stringify(result), resultBlob: null }
  if (jsonSize(result, largestInRow) <= largestInRow) {
    return { result: (await jsonBytes(result)).toString(), resultBlob: null }
  }
  // A name of its own per attempt: another process that took the job over may be writing too.
  const resultBlob = await deps.blobs.put(`results/${row.id}-${newId()}`, jsonChunks(result))
  return { result: null, resultBlob }
}

/** Wakes the callers that wait for the slot that became free, and ends the parent after its last child. */
export async function afterEnd(
  deps: Pick<RunDeps, 'store' | 'clock' | 'parentHooks' | 'observeEnd'>,
  row: JobRow,
): Promise<void> {
  if (row.takes_slot === 1) deps.store.notify('slot', row.team_id)
  if (row.parent_id === null) return
  // Its end may have let others into the queue, and left something to be delivered.
  deps.store.notify('queued', row.team_id)
  deps.store.notify('deliveries', '')
  // After the commit, not inside it: two last children that end together would each see the other running.
  await finishParent(deps, row.parent_id)
}
