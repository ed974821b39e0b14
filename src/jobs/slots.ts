import { afford } from '../accounts/billing.ts'
import { AppError, toAppError } from '../platform/errors.ts'
import { endJob, endWithoutResult, insertJobs, type JobRow } from '../store/jobs/jobs.ts'
import { startJob } from '../store/jobs/leases.ts'
import { hasFreeSlot } from '../store/jobs/slots.ts'
import { lockJobs, lockSlots, lockTeam } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import type { JobRequest } from './job.ts'
import { claimIdempotencyKey } from './job.ts'
import { publishJobChange, publishJobEnd } from './job-events.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import type { RunDeps } from './run-job.ts'

export interface SlotDeps extends Pick<RunDeps, 'store' | 'holder'> {
  concurrency: number
}

/** Inserts the job as running if its team has a free slot for which no earlier job waits, otherwise as queued. */
export async function admit<Input>(
  { store, holder, concurrency }: SlotDeps,
  row: JobRow,
  request: JobRequest<Input>,
): Promise<boolean> {
  const lease = holder.lease()
  const insert = async (transaction: Queryable) => {
    if (row.takes_slot === 1) await lockSlots(store, transaction, row.team_id)
    const team = await lockTeam(store, transaction, row.team_id)
    await afford(transaction, request.team, { balance: team?.balance ?? null, credits: request.price })
    await claimIdempotencyKey(transaction, row, request.idempotency)
    const slots = { limit: team?.concurrency ?? concurrency, now: lease.now }
    const isFree = row.takes_slot === 0 || (await hasFreeSlot(transaction, row, slots))
    const leased = { ...row, leased_by: lease.holder, lease_until: lease.until }
    const started = { ...leased, state: 'running' as const, started_at: lease.now, attempts: 1 }
    await insertJobs(transaction, [isFree ? started : leased])
    return isFree
  }
  // Not durable: the caller has no response yet, so a power failure ends the call together with the row.
  const isStarted = await store.transaction(insert, { durable: false })
  if (isStarted) publishJobChange(store, row, { state: 'running', at: lease.now })
  return isStarted
}

export async function tryStart({ store, holder, concurrency }: SlotDeps, row: JobRow): Promise<boolean> {
  const lease = holder.lease()
  const isStarted = await store.transaction(async (transaction) => {
    await lockJobs(store, transaction, [row.id])
    await lockSlots(store, transaction, row.team_id)
    const team = await lockTeam(store, transaction, row.team_id)
    const slots = { limit: team?.concurrency ?? concurrency, now: lease.now }
    return (await hasFreeSlot(transaction, row, slots)) && startJob(transaction, row.id, lease)
  })
  if (isStarted) publishJobChange(store, row, { state: 'running', at: lease.now })
  return isStarted
}

export interface Caller {
  timeoutMs: number
  signal: AbortSignal
}

interface WaitDeps extends SlotDeps, Pick<RunDeps, 'clock' | 'log'> {
  slotQueues: ReturnType<typeof createSlotQueues>
}

/** Share of the time budget that a call may wait for a slot. The rest is reserved for the work. */
const maxWaitShare = 2 / 3

/** Slots go to callers in order of arrival across all processes. Returns the wait in milliseconds. */
export async function waitForSlot(deps: WaitDeps, row: JobRow, caller: Caller): Promise<number> {
  const startedAt = performance.now()
  const queueEntry = deps.slotQueues.join(row.team_id, row.id)
  const timeout = AbortSignal.timeout(Math.floor(caller.timeoutMs * maxWaitShare))
  const signal = AbortSignal.any([timeout, caller.signal])
  try {
    while (!(queueEntry.isHead() && (await tryStart(deps, row)))) await queueEntry.nextChange(signal)
    return Math.round(performance.now() - startedAt)
  } catch (thrown) {
    const error = timeout.aborted
      ? new AppError('CONCURRENCY_QUEUE_TIMEOUT', { phase: 'waiting for a slot' })
      : signal.aborted
        ? new AppError('SCRAPE_JOB_CANCELLED')
        : toAppError(thrown)
    await abandonJob(deps, row, error).catch(() => abandonIfInserted(deps, row))
    throw error
  } finally {
    queueEntry.leave()
  }
}

type AbandonDeps = Pick<RunDeps, 'store' | 'clock' | 'log' | 'holder'>

/** Ends a job that this process holds but has not run. The caller of this function throws the error to the client. */
export async function abandonJob(deps: AbandonDeps, row: JobRow, error: AppError): Promise<void> {
  const state = error.code === 'SCRAPE_JOB_CANCELLED' ? 'cancelled' : 'failed'
  const now = deps.clock.now()
  const end = { holder: deps.holder.id, state, error: error.toStored(), now } as const
  const isOwner = await endJob(deps.store.query, endWithoutResult(row, end))
  if (isOwner) publishJobEnd(deps.store, row, { state, at: now, code: error.code })
  // Wake other processes: their callers may be queued after this one.
  deps.store.notify('slot', row.team_id)
}

/** The insert may have succeeded although its response was lost, so the job would hold a slot without running. */
export function abandonIfInserted(deps: AbandonDeps, row: JobRow): void {
  retryWhileUnavailable(() => abandonJob(deps, row, new AppError('JOB_INTERRUPTED')), 30_000).catch((cause) =>
    deps.log.warn(
      { cause, job: row.id },
      'a job that was not started may hold a slot until its lease runs out',
    ),
  )
}

/** Sorts callers by job id, like the store. Another order could make two callers wait for each other. */
export function createSlotQueues(store: Store) {
  const queues = new Map<string, ReturnType<typeof createWaitingEntry>[]>()
  const wake = (teamId: string) => queues.get(teamId)?.[0]?.wake()

  return {
    stop: store.listen('slot', wake),
    join(teamId: string, id: string) {
      const queue = queues.get(teamId) ?? []
      queues.set(teamId, queue)
      const entry = createWaitingEntry(id)
      const nextIndex = queue.findIndex((other) => other.id > id)
      queue.splice(nextIndex < 0 ? queue.length : nextIndex, 0, entry)
      return {
        /** Only the head queries the store, so a long queue adds no cost. */
        isHead: () => queue[0] === entry,
        nextChange: entry.nextChange,
        leave() {
          queue.splice(queue.indexOf(entry), 1)
          if (queue.length === 0) queues.delete(teamId)
          wake(teamId)
        },
      }
    },
  }
}

function createWaitingEntry(id: string) {
  let isWoken = false
  let resume: (() => void) | undefined
  return {
    id,
    wake() {
      // A wake-up that arrives during the query is buffered, because no listener is registered then.
      isWoken = true
      resume?.()
    },
    nextChange(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        // Wake-ups from other processes can be lost, and other processes have their own queues.
        const timer = setTimeout(done, 1000)
        signal.addEventListener('abort', done, { once: true })
        function done(): void {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resume = undefined
          isWoken = false
          if (signal.aborted) reject(signal.reason)
          else resolve()
        }
        resume = done
        if (isWoken) done()
      })
    },
  }
}
