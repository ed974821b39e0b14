import { afford } from '../accounts/billing.ts'
import { AppError, toAppError } from '../base/errors.ts'
import { endJob, insertJobs, type JobRow, whatMayStay } from '../store/jobs.ts'
import { startJob } from '../store/leases.ts'
import { lockJobs, lockSlots, lockTeam } from '../store/locks.ts'
import type { Queryable } from '../store/schema.ts'
import { hasFreeSlot } from '../store/slots.ts'
import { atOnceRecorder } from './at-once.ts'
import { type JobKind, newJobRow, type Order, type Outcome } from './job.ts'
import { isUnavailable, persistently } from './persist.ts'
import { attempt, keepResult, type RunNeeds, runJob, runningJob, stateOf } from './run-job.ts'
import { slotLines } from './slot-line.ts'

/** All that is written of an input that may not stay. */
const nothing = '{}'

/** How much of a call's time may go into waiting for a slot; the rest is left for the work. */
const shareForWaiting = 2 / 3

export interface Caller {
  /** The whole time budget of the call; waiting for a slot counts against it. */
  timeoutMs: number
  /** Aborts when the caller has gone. */
  signal: AbortSignal
}

/** A job whose caller waits: it runs here and now, without a hop through the queue. */
export function foreground(needs: RunNeeds, concurrency: number) {
  const lines = slotLines(needs.store)
  const recordAtOnce = atOnceRecorder(needs.store)

  return async function run<Input, Result>(
    kind: JobKind<Input, Result>,
    order: Order<Input>,
    caller: Caller,
  ): Promise<Result> {
    const ended = needs.load?.callBegan()
    try {
      return await answer(kind, order, caller)
    } finally {
      ended?.()
    }
  }

  async function answer<Input, Result>(
    kind: JobKind<Input, Result>,
    order: Order<Input>,
    caller: Caller,
  ): Promise<Result> {
    const began = performance.now()
    // It is never started again from the record, so the record holds no more than may stay: what is written and erased
    // later would still stand in the log of the database, in its free pages and in backups.
    const input = order.retain ? JSON.stringify(kind.onRecord(order.input)) : nothing
    const row = { ...newJobRow(kind, order, needs.clock.now()), foreground: 1, input }
    const ready = await answerAtOnce(row, kind, order, caller.signal)
    if (ready) return resultOf(ready)
    const isStarted = await admit(row, order).catch((thrown) => {
      if (isUnavailable(thrown)) takeBack(row)
      throw thrown
    })
    // Not before: a heartbeat that finds no row of a job takes it for lost.
    const lost = needs.holder.hold(row.id)
    try {
      const waitedMs = isStarted ? undefined : await waitForSlot(row, caller)
      const signal = AbortSignal.any([lost, caller.signal])
      const spentMs = Math.round(performance.now() - began)
      return resultOf(await runJob(needs, kind, { row, input: order.input, waitedMs, spentMs, signal }))
    } finally {
      needs.holder.release(row.id)
    }
  }

  async function answerAtOnce<Input, Result>(
    row: JobRow,
    kind: JobKind<Input, Result>,
    order: Order<Input>,
    signal: AbortSignal,
  ): Promise<Outcome<Result> | undefined> {
    const job = runningJob(needs, row, { input: order.input, waitedMs: undefined, spentMs: 0 })
    const outcome = await attempt(needs, row, signal, async () => kind.atOnce?.(job, signal))
    if (!outcome) return undefined
    const { result, resultBlob } = await keepResult(needs, row, outcome)
    const error = 'error' in outcome ? outcome.error.toStored() : undefined
    const refusal = await recordAtOnce({
      team: order.team,
      row: {
        ...row,
        state: stateOf(outcome),
        attempts: 1,
        started_at: row.created_at,
        finished_at: needs.clock.now(),
        credits: outcome.credits,
        result,
        result_blob: resultBlob,
        ...whatMayStay({ input: row.input, error, forget: row.retain === 0 }),
      },
    })
    if (!refusal) return outcome
    if (resultBlob !== null) await needs.blobs.delete(resultBlob)
    throw refusal
  }

  /** Inserts the job as running when the team has a free slot and nobody waits for it, else as waiting. */
  function admit<Input>(row: JobRow, order: Order<Input>): Promise<boolean> {
    const lease = needs.holder.lease()
    const insert = async (transaction: Queryable) => {
      if (row.takes_slot === 1) await lockSlots(needs.store, transaction, row.team_id)
      const team = await lockTeam(needs.store, transaction, row.team_id)
      await afford(transaction, order.team, { balance: team?.balance ?? null, credits: order.price })
      const slots = { most: team?.concurrency ?? concurrency, now: lease.now }
      const isFree = row.takes_slot === 0 || (await hasFreeSlot(transaction, row, slots))
      const held = { ...row, leased_by: lease.holder, lease_until: lease.until }
      const started = { ...held, state: 'running' as const, started_at: lease.now, attempts: 1 }
      await insertJobs(transaction, [isFree ? started : held])
      return isFree
    }
    // The caller has been told nothing yet: a power cut that takes the record takes the call with it.
    return needs.store.transaction(insert, { durable: false })
  }

  /** The store may have taken the job without being able to say so: nobody would run it, and it would hold a slot. */
  function takeBack(row: JobRow): void {
    persistently(() => giveUp(row, new AppError('JOB_INTERRUPTED')), 30_000).catch((cause) =>
      needs.log.warn(
        { cause, job: row.id },
        'a job that was not started may hold a slot until its lease runs out',
      ),
    )
  }

  /** First come, first served, over all processes. */
  async function waitForSlot(row: JobRow, caller: Caller): Promise<number> {
    const began = performance.now()
    const place = lines.join(row.team_id, row.id)
    const patience = AbortSignal.timeout(Math.floor(caller.timeoutMs * shareForWaiting))
    const signal = AbortSignal.any([patience, caller.signal])
    try {
      while (!(place.isHead() && (await tryStart(row)))) await place.movement(signal)
      return Math.round(performance.now() - began)
    } catch (thrown) {
      const error = signal.aborted ? waitingEnded(patience) : toAppError(thrown)
      await giveUp(row, error).catch(() => takeBack(row))
      throw error
    } finally {
      place.leave()
    }
  }

  function tryStart(row: JobRow): Promise<boolean> {
    const lease = needs.holder.lease()
    return needs.store.transaction(async (transaction) => {
      await lockJobs(needs.store, transaction, [row.id])
      await lockSlots(needs.store, transaction, row.team_id)
      const team = await lockTeam(needs.store, transaction, row.team_id)
      const slots = { most: team?.concurrency ?? concurrency, now: lease.now }
      return (await hasFreeSlot(transaction, row, slots)) && startJob(transaction, row.id, lease)
    })
  }

  async function giveUp(row: JobRow, error: AppError): Promise<void> {
    await endJob(needs.store.query, {
      id: row.id,
      holder: needs.holder.id,
      state: error.code === 'SCRAPE_JOB_CANCELLED' ? 'cancelled' : 'failed',
      credits: 0,
      result: null,
      resultBlob: null,
      error: error.toStored(),
      now: needs.clock.now(),
      input: row.input,
      forget: row.retain === 0,
    })
    // Callers of other processes may have stood behind this one.
    needs.store.notify('slot', row.team_id)
  }
}

function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

function waitingEnded(patience: AbortSignal): AppError {
  if (patience.aborted) return new AppError('CONCURRENCY_QUEUE_TIMEOUT', { phase: 'waiting for a slot' })
  return new AppError('SCRAPE_JOB_CANCELLED')
}
