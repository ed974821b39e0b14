import { startTrace } from '../base/trace/trace.ts'
import { noteUnusedBlobs } from '../store/blob-names.ts'
import { type JobRow, whatMayStay } from '../store/jobs.ts'
import { atOnceRecorder } from './at-once.ts'
import { endedJob } from './ended-job.ts'
import type { JobKind, Order, Outcome } from './job.ts'
import { tellEnd } from './job-news.ts'
import { attempt, endOf, keepResult, keptTrace, type RunNeeds, runningJob, stateOf } from './run-job.ts'

interface Asked<Input, Result> {
  row: JobRow
  kind: JobKind<Input, Result>
  order: Order<Input>
}

/**
 * Answers jobs whose outcome is at hand, with their record and their charge; undefined where the job has to be run, and then
 * nothing was written.
 */
export function atOnceAnswers(needs: RunNeeds) {
  const record = atOnceRecorder(needs.store)

  return async function answerAtOnce<Input, Result>(
    { row, kind, order }: Asked<Input, Result>,
    signal: AbortSignal,
  ): Promise<Outcome<Result> | undefined> {
    const trace = startTrace()
    const job = runningJob(needs, row, { input: order.input, waitedMs: undefined, spentMs: 0, trace })
    const outcome = await attempt(needs, row, signal, async () => kind.atOnce?.(job, signal))
    if (!outcome) return undefined
    const { result, resultBlob } = await keepResult(needs, row, outcome)
    const error = 'error' in outcome ? outcome.error.toStored() : undefined
    const state = stateOf(outcome)
    const now = needs.clock.now()
    const refusal = await record({
      ...{ team: order.team, idempotency: order.idempotency },
      row: {
        ...row,
        state,
        attempts: 1,
        started_at: row.created_at,
        finished_at: now,
        credits: outcome.credits,
        result,
        result_blob: resultBlob,
        trace: keptTrace(row, trace),
        ...whatMayStay({ input: row.input, error, forget: row.retain === 0 }),
      },
    })
    if (!refusal) {
      tellEnd(needs.store, row, { state, at: now, code: error?.code })
      needs.observeEnd?.(endedJob(row, { ...endOf(outcome), now }, trace))
      return outcome
    }
    if (resultBlob !== null) await noteUnusedBlobs(needs.store.query, [resultBlob], now)
    throw refusal
  }
}
