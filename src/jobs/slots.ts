import { afford } from '../accounts/billing.ts'
import { AppError, toAppError } from '../platform/errors.ts'
import { endJob, endWithoutResult, insertJobs, type JobRow } from '../store/jobs/jobs.ts'
import { startJob } from '../store/jobs/leases.ts'
import { hasFreeSlot } from '../store/jobs/slots.ts'
import { lockJobs, lockSlots, lockTeam } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import type { Order } from './job.ts'
import { claimIdempotencyKey } from './job.ts'
import { publishJobChange, publishJobEnd } from './job-events.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import type { RunDeps } from './run-job.ts'

export interface SlotDeps extends Pick<RunDeps, 'store' | 'holder'> {
  /** Slots of a team that has no number of its own. */
  concurrency: number
}

/** Inserts the job as running when the team has a free slot and nobody waits for it, else as waiting. */
export async function admit<Input>(
  { store, holder, concurrency }: SlotDeps,
  row: JobRow,
  order: Order<Input>,
): Promise<boolean> {
  const lease = holder.lease()
  const insert = async (transaction: Queryable) => {
    if (row.takes_slot === 1) await lockSlots(store, transaction, row.team_id)
    const team = await lockTeam(store, transaction, row.team_id)
    await afford(transaction, order.team, { balance: team?.balance ?? null, credits: order.price })
    await claimIdempotencyKey(transaction, row, order.idempotency)
    const slots = { most: team?.concurrency ?? concurrency, now: lease.now }
    const isFree = row.takes_slot === 0 || (await hasFreeSlot(transaction, row, slots))
    const held = { ...row, leased_by: lease.holder, lease_until: lease.until }
    const started = { ...held, state: 'running' as const, started_at: lease.now, attempts: 1 }
    await insertJobs(transaction, [isFree ? started : held])
    return isFree
  }
  // The caller has no answer yet: a power cut that takes the record takes the call with it.
  const isStarted = await store.transaction(insert, { durable: false })
  if (isStarted) publishJobChange(store, row, { state: 'running', at: lease.now })
  return isStarted
}

/** Starts a job that waits, where a slot of its team is free now and it comes next. */
export async function tryStart({ store, holder, concurrency }: SlotDeps, row: JobRow): Promise<boolean> {
  const lease = holder.lease()
  const isStarted = await store.transaction(async (transaction) => {
    await lockJobs(store, transaction, [row.id])
    await lockSlots(store, transaction, row.team_id)
    const team = await lockTeam(store, transaction, row.team_id)
    const slots = { most: team?.concurrency ?? concurrency, now: lease.now }
    return (await hasFreeSlot(transaction, row, slots)) && startJob(transaction, row.id, lease)
  })
  if (isStarted) publishJobChange(store, row, { state: 'running', at: lease.now })
  return isStarted
}

export interface Caller {
  /** The whole time budget of the call; waiting for a slot counts against it. */
  timeoutMs: number
  /** Aborts when the caller has gone. */
  signal: AbortSignal
}

interface WaitDeps extends SlotDeps, Pick<RunDeps, 'clock' | 'log'> {
  lines: ReturnType<typeof createSlotQueues>
}

/** How much of a call's time may go into waiting for a slot; the rest is left for the work. */
const shareForWaiting = 2 / 3

/** Starts the job as soon as its team has a slot for it. First come, first served, over all processes. */
export async function waitForSlot(deps: WaitDeps, row: JobRow, caller: Caller): Promise<number> {
  const began = performance.now()
  const place = deps.lines.join(row.team_id, row.id)
  const patience = AbortSignal.timeout(Math.floor(caller.timeoutMs * shareForWaiting))
  const signal = AbortSignal.any([patience, caller.signal])
  try {
    while (!(place.isHead() && (await tryStart(deps, row)))) await place.movement(signal)
    return Math.round(performance.now() - began)
  } catch (thrown) {
    const error = signal.aborted ? waitingEnded(patience) : toAppError(thrown)
    await abandonJob(deps, row, error).catch(() => abandonIfInserted(deps, row))
    throw error
  } finally {
    place.leave()
  }
}

function waitingEnded(patience: AbortSignal): AppError {
  if (patience.aborted) return new AppError('CONCURRENCY_QUEUE_TIMEOUT', { phase: 'waiting for a slot' })
  return new AppError('SCRAPE_JOB_CANCELLED')
}

type GiveUpDeps = Pick<RunDeps, 'store' | 'clock' | 'log' | 'holder'>

/** Ends a job that this process holds and never ran: its caller gets an error instead. */
export async function abandonJob(deps: GiveUpDeps, row: JobRow, error: AppError): Promise<void> {
  const state = error.code === 'SCRAPE_JOB_CANCELLED' ? 'cancelled' : 'failed'
  const now = deps.clock.now()
  const end = { holder: deps.holder.id, state, error: error.toStored(), now } as const
  const isOurs = await endJob(deps.store.query, endWithoutResult(row, end))
  if (isOurs) publishJobEnd(deps.store, row, { state, at: now, code: error.code })
  // Callers of other processes may have stood behind this one.
  deps.store.notify('slot', row.team_id)
}

/** The store may have taken the job without being able to say so: nobody would run it, and it would hold a slot. */
export function abandonIfInserted(deps: GiveUpDeps, row: JobRow): void {
  retryWhileUnavailable(() => abandonJob(deps, row, new AppError('JOB_INTERRUPTED')), 30_000).catch((cause) =>
    deps.log.warn(
      { cause, job: row.id },
      'a job that was not started may hold a slot until its lease runs out',
    ),
  )
}

/** One caller in the line for a slot of its team. */
export interface SlotQueueEntry {
  /** Whether nobody of this process came before. Only the head asks the store, so a long line costs no more. */
  isHead(): boolean
  /** Resolves when a slot became free or someone in front has left, and after a second in any case. */
  movement(signal: AbortSignal): Promise<void>
  leave(): void
}

/**
 * The callers of this process that wait for a slot, in the order of their jobs' ids. The store orders all waiting
 * callers by the same ids: any other order here could make two callers wait for each other.
 */
export function createSlotQueues(store: Store) {
  const lines = new Map<string, Waiting[]>()
  const stop = store.listen('slot', (teamId) => wake(teamId))

  function wake(teamId: string): void {
    lines.get(teamId)?.[0]?.wake()
  }

  return {
    stop,
    join(teamId: string, id: string): SlotQueueEntry {
      const line = lines.get(teamId) ?? []
      lines.set(teamId, line)
      const me = waiting(id)
      const behind = line.findIndex((other) => other.id > id)
      line.splice(behind < 0 ? line.length : behind, 0, me)
      return {
        isHead: () => line[0] === me,
        movement: me.movement,
        leave() {
          line.splice(line.indexOf(me), 1)
          if (line.length === 0) lines.delete(teamId)
          wake(teamId)
        },
      }
    },
  }
}

interface Waiting {
  id: string
  wake(): void
  movement(signal: AbortSignal): Promise<void>
}

function waiting(id: string): Waiting {
  let isWoken = false
  let resume: (() => void) | undefined
  return {
    id,
    wake() {
      // Nobody listens while the store is being asked: the wake-up is kept for when they do.
      isWoken = true
      resume?.()
    },
    movement(signal) {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        // Wake-ups from other processes can be lost, and other processes have lines of their own.
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
