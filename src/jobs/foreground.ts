import { afford, chargeAll } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import { AppError, isStoreUnavailable } from '../platform/errors.ts'
import { startTrace } from '../platform/trace/trace.ts'
import { recordUnusedBlobs } from '../store/blob-names.ts'
import { insertJobs, type JobRow, retainedColumns } from '../store/jobs/jobs.ts'
import { lockTeam } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { endedJob } from './ended-job.ts'
import { inBatches } from './finish-jobs.ts'
import {
  chargeFor,
  claimIdempotencyKey,
  type IdempotencyKey,
  type JobKind,
  newJobRow,
  type Order,
  type Outcome,
} from './job.ts'
import { publishJobEnd } from './job-events.ts'
import {
  attempt,
  endOf,
  keepResult,
  type RunDeps,
  runJob,
  runningJob,
  stateOf,
  toStoredTrace,
} from './run-job.ts'
import { abandonIfInserted, admit, type Caller, createSlotQueues, waitForSlot } from './slots.ts'

export type { Caller } from './slots.ts'

/** All that is written of an input that may not stay. */
const nothing = '{}'

/** A job whose caller waits: it runs here and now, without a hop through the queue. */
export function foreground(deps: RunDeps, concurrency: number) {
  const waiting = { ...deps, concurrency, lines: createSlotQueues(deps.store) }
  const answerAtOnce = createImmediateRunner(deps)

  return async function run<Input, Result>(
    kind: JobKind<Input, Result>,
    order: Order<Input>,
    caller: Caller,
  ): Promise<Result> {
    const ended = deps.load?.callBegan()
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
    const row = { ...newJobRow(kind, order, deps.clock.now()), foreground: 1, input }
    const ready = await answerAtOnce({ row, kind, order }, caller.signal)
    if (ready) return resultOf(ready, row.id)
    const isStarted = await admit(waiting, row, order).catch((thrown) => {
      if (isStoreUnavailable(thrown)) abandonIfInserted(deps, row)
      throw thrown
    })
    // Not before: a heartbeat that finds no row of a job takes it for lost.
    const lost = deps.holder.hold(row.id)
    try {
      const waitedMs = isStarted ? undefined : await waitForSlot(waiting, row, caller).catch(named(row.id))
      const signal = AbortSignal.any([lost, caller.signal])
      const spentMs = Math.round(performance.now() - began)
      return resultOf(
        await runJob(deps, kind, { row, input: order.input, waitedMs, spentMs, signal }),
        row.id,
      )
    } finally {
      deps.holder.release(row.id)
    }
  }
}

function resultOf<Result>(outcome: Outcome<Result>, id: string): Result {
  return 'error' in outcome ? named(id)(outcome.error) : outcome.result
}

/** The error for the caller of a job that is on record names the job: its trace says what it did. */
function named(id: string) {
  return (thrown: unknown): never => {
    if (!(thrown instanceof AppError) || isStoreUnavailable(thrown)) throw thrown
    const { code, detail, message, cause } = thrown
    throw new AppError(code, { ...detail, id }, { message, cause })
  }
}

interface Asked<Input, Result> {
  row: JobRow
  kind: JobKind<Input, Result>
  order: Order<Input>
}

/**
 * Answers jobs whose outcome is at hand, with their record and their charge; undefined where the job has to be run, and then
 * nothing was written.
 */
export function createImmediateRunner(deps: RunDeps) {
  const record = atOnceRecorder(deps.store)

  return async function answerAtOnce<Input, Result>(
    { row, kind, order }: Asked<Input, Result>,
    signal: AbortSignal,
  ): Promise<Outcome<Result> | undefined> {
    const trace = startTrace()
    const job = runningJob(deps, row, { input: order.input, waitedMs: undefined, spentMs: 0, trace })
    const outcome = await attempt(deps, row, signal, async () => kind.atOnce?.(job, signal))
    if (!outcome) return undefined
    const { result, resultBlob } = await keepResult(deps, row, outcome)
    const error = 'error' in outcome ? outcome.error.toStored() : undefined
    const state = stateOf(outcome)
    const now = deps.clock.now()
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
        trace: toStoredTrace(row, trace),
        ...retainedColumns({ input: row.input, error, forget: row.retain === 0 }),
      },
    })
    if (!refusal) {
      publishJobEnd(deps.store, row, { state, at: now, code: error?.code })
      deps.observeEnd?.(endedJob(row, { ...endOf(outcome), now }, trace))
      return outcome
    }
    if (resultBlob !== null) await recordUnusedBlobs(deps.store.query, [resultBlob], now)
    throw refusal
  }
}

/** A job that had ended before it was written down. */
interface EndedJob {
  team: Team
  row: JobRow
  idempotency?: IdempotencyKey | undefined
}

/**
 * Records jobs that were answered at once: they took no slot and held no lease, so there is nothing to write before they
 * end. The record and its charge are one transaction. It does not wait for the disk: no work is lost with it, and a
 * power cut that takes the record takes the charge as well. Answers why a team cannot pay; then nothing was written.
 */
function atOnceRecorder(store: Store): (job: EndedJob) => Promise<AppError | undefined> {
  return inBatches((batch: EndedJob[]) =>
    store.transaction((transaction) => recordAll(store, transaction, batch), { durable: false }),
  )
}

async function recordAll(
  store: Store,
  transaction: Queryable,
  batch: EndedJob[],
): Promise<(AppError | undefined)[]> {
  const refusals = new Map<EndedJob, AppError>()
  const byTeam = Map.groupBy(batch, ({ team }) => team.id)
  // In one order everywhere, so that two transactions never hold what the other one waits for.
  for (const [teamId, jobs] of [...byTeam].sort(([left], [right]) => (left < right ? -1 : 1))) {
    let balance = (await lockTeam(store, transaction, teamId))?.balance ?? null
    for (const job of jobs) {
      const refusal = await refusalOf(transaction, job, balance)
      if (refusal) refusals.set(job, refusal)
      else if (balance !== null) balance -= job.row.credits
    }
  }
  const paid = batch.filter((job) => !refusals.has(job)).map(({ row }) => row)
  await insertJobs(transaction, paid)
  await chargeAll(
    transaction,
    paid.map((row) => chargeFor(row, row.credits, row.finished_at ?? row.created_at)),
  )
  return batch.map((job) => refusals.get(job))
}

async function refusalOf(
  transaction: Queryable,
  { team, row, idempotency }: EndedJob,
  balance: number | null,
): Promise<AppError | undefined> {
  try {
    await afford(transaction, team, { balance, credits: row.credits })
    await claimIdempotencyKey(transaction, row, idempotency)
    return undefined
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
}
