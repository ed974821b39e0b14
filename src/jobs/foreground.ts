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
  type JobRequest,
  newJobRow,
  type Outcome,
} from './job.ts'
import { publishJobEnd } from './job-events.ts'
import {
  attempt,
  endOf,
  type RunDeps,
  runJob,
  runningJob,
  stateOf,
  storeResult,
  toStoredTrace,
} from './run-job.ts'
import { abandonIfInserted, admit, type Caller, createSlotQueues, waitForSlot } from './slots.ts'

export type { Caller } from './slots.ts'

export function foreground(deps: RunDeps, concurrency: number) {
  const waitDeps = { ...deps, concurrency, slotQueues: createSlotQueues(deps.store) }
  const runImmediate = createImmediateRunner(deps)

  return async function run<Input, Result>(
    kind: JobKind<Input, Result>,
    request: JobRequest<Input>,
    caller: Caller,
  ): Promise<Result> {
    const endCall = deps.load?.beginCall()
    try {
      return await runJobOfCaller(kind, request, caller)
    } finally {
      endCall?.()
    }
  }

  async function runJobOfCaller<Input, Result>(
    kind: JobKind<Input, Result>,
    request: JobRequest<Input>,
    caller: Caller,
  ): Promise<Result> {
    const startedAt = performance.now()
    // The row contains only input that may be retained: deleted data would stay in logs and backups of the database.
    const input = request.retain ? JSON.stringify(kind.toRecordedInput(request.input)) : '{}'
    const row = { ...newJobRow(kind, request, deps.clock.now()), foreground: 1, input }
    const immediate = await runImmediate({ row, kind, request }, caller.signal)
    if (immediate) return resultOf(immediate, row.id)
    const isStarted = await admit(waitDeps, row, request).catch((thrown) => {
      if (isStoreUnavailable(thrown)) abandonIfInserted(deps, row)
      throw thrown
    })
    // Registered after the insert, because a heartbeat would treat a job without a row as lost.
    const leaseSignal = deps.holder.hold(row.id)
    try {
      const waitedMs = isStarted
        ? undefined
        : await waitForSlot(waitDeps, row, caller).catch(withJobId(row.id))
      const signal = AbortSignal.any([leaseSignal, caller.signal])
      const spentMs = Math.round(performance.now() - startedAt)
      const started = { row, input: request.input, waitedMs, spentMs, signal }
      return resultOf(await runJob(deps, kind, started), row.id)
    } finally {
      deps.holder.release(row.id)
    }
  }
}

function resultOf<Result>(outcome: Outcome<Result>, id: string): Result {
  return 'error' in outcome ? withJobId(id)(outcome.error) : outcome.result
}

function withJobId(id: string) {
  return (thrown: unknown): never => {
    if (!(thrown instanceof AppError) || isStoreUnavailable(thrown)) throw thrown
    const { code, detail, message, cause } = thrown
    throw new AppError(code, { ...detail, id }, { message, cause })
  }
}

export function createImmediateRunner(deps: RunDeps) {
  // One transaction writes row and charge. If a crash loses it, no work is lost, so it need not be durable.
  const record = inBatches((batch: EndedJob[]) =>
    deps.store.transaction((transaction) => recordAll(deps.store, transaction, batch), { durable: false }),
  )

  return async function runImmediate<Input, Result>(
    { row, kind, request }: { row: JobRow; kind: JobKind<Input, Result>; request: JobRequest<Input> },
    signal: AbortSignal,
  ): Promise<Outcome<Result> | undefined> {
    const trace = startTrace()
    const job = runningJob(deps, row, { input: request.input, waitedMs: undefined, spentMs: 0, trace })
    const outcome = await attempt(deps, row, signal, async () => kind.runImmediately?.(job, signal))
    if (!outcome) return undefined
    const { result, resultBlob } = await storeResult(deps, row, outcome)
    const error = 'error' in outcome ? outcome.error.toStored() : undefined
    const state = stateOf(outcome)
    const now = deps.clock.now()
    const recordError = await record({
      ...{ team: request.team, idempotency: request.idempotency },
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
        ...retainedColumns({ input: row.input, error, erase: row.retain === 0 }),
      },
    })
    if (!recordError) {
      publishJobEnd(deps.store, row, { state, at: now, code: error?.code })
      deps.observeEnd?.(endedJob(row, { ...endOf(outcome), now }, trace))
      return outcome
    }
    if (resultBlob !== null) await recordUnusedBlobs(deps.store.query, [resultBlob], now)
    throw recordError
  }
}

interface EndedJob {
  team: Team
  row: JobRow
  idempotency?: IdempotencyKey | undefined
}

/** Returns an error for each job that is not paid or whose idempotency key is used; these are not written. */
async function recordAll(store: Store, transaction: Queryable, batch: EndedJob[]) {
  const errorByJob = new Map<EndedJob, AppError>()
  const byTeam = Map.groupBy(batch, ({ team }) => team.id)
  // Teams are locked in the same order everywhere, which prevents deadlocks.
  for (const [teamId, jobs] of [...byTeam].sort(([left], [right]) => (left < right ? -1 : 1))) {
    let balance = (await lockTeam(store, transaction, teamId))?.balance ?? null
    for (const job of jobs) {
      const recordError = await findRecordError(transaction, job, balance)
      if (recordError) errorByJob.set(job, recordError)
      else if (balance !== null) balance -= job.row.credits
    }
  }
  const acceptedRows = batch.filter((job) => !errorByJob.has(job)).map(({ row }) => row)
  await insertJobs(transaction, acceptedRows)
  const charges = acceptedRows.map((row) => chargeFor(row, row.credits, row.finished_at ?? row.created_at))
  await chargeAll(transaction, charges)
  return batch.map((job) => errorByJob.get(job))
}

async function findRecordError(
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
