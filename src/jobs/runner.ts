import { AppError, isStoreUnavailable } from '../platform/errors.ts'
import { coalesce } from '../platform/functions.ts'
import { type PermitBatch, Permits } from '../platform/permits.ts'
import type { JobRow } from '../store/jobs/jobs.ts'
import {
  claimForTeam,
  claimSlotlessJobs,
  requeueJobs,
  teamsWaiting,
  teamsWithSlotlessJobs,
} from '../store/jobs/leases.ts'
import { type AnyBackgroundKind, crashAttemptCost } from './job.ts'
import type { Load } from './load-limiter.ts'
import { type QueueWatch, stalledAfterSeconds, watchQueues } from './queue-watch.ts'
import { attempt, endRun, type RunDeps, runJob } from './run-job.ts'

export type { AnyBackgroundKind } from './job.ts'

export interface Runner {
  /** Looks for jobs now instead of at the next wake-up. */
  look(): void
  active(): number
  queues: Pick<QueueWatch, 'look' | 'stalled' | 'idleSeconds'>
  /** Claims once. Throws if claiming fails, or if jobs that may run have waited too long while this process runs none. */
  check(): Promise<void>
  /** Stops claiming, waits for running jobs, and returns the others to the queue. */
  stop(withinMs: number, how?: { isCrash: boolean }): Promise<void>
}

export interface RunnerOptions {
  kinds: AnyBackgroundKind[]
  /** Maximum concurrent jobs, whatever the load allows. */
  capacity: number
  concurrency: number
  /** Load limiter; undefined if only the capacity limits the jobs. */
  load?: Load
}

/** Permits for teams without running jobs in this process, so that a team that uses all others cannot delay them. */
const sparePermits = 8

/** Starts the runner, which claims and runs background jobs, fairly between teams, as many as this process can handle. */
export function startRunner(deps: RunDeps, options: RunnerOptions): Runner {
  const { kinds, capacity, concurrency, load } = options
  const stopping = new AbortController()
  const state: ClaimState = { waitsForSlots: false, mayHaveLost: false }
  // Every synchronous call frees a slot at its end. Without queued jobs there is nothing to look for.
  const lookIfWaiting = () => void (state.waitsForSlots && scheduleClaim())
  const jobs = activeJobs(deps, { kinds, load, onEnd: lookIfWaiting })
  const claimDeps = {
    ...{ store: deps.store, holder: deps.holder, concurrency },
    permits: new Permits({ count: load ? load.allowed : capacity, spare: sparePermits }),
    run: jobs.run,
    stopping: stopping.signal,
  }
  const queues = watchQueues({ ...deps, concurrency, permits: claimDeps.permits, jobs })
  let claim = Promise.resolve()
  const claimAll = coalesce(() => {
    claim = claimJobs(claimDeps, state)
    return claim
  }, stopping.signal)
  const scheduleClaim = debouncePerTurn(() => {
    claimAll().catch((cause) => {
      state.mayHaveLost = true
      deps.log.warn({ cause }, 'jobs could not be claimed; trying again')
    })
  })
  load?.watch({ active: jobs.count, onCapacity: lookIfWaiting })
  const unsubscribers = [deps.store.listen('queued', scheduleClaim), deps.store.listen('slot', lookIfWaiting)]
  // Wake-ups can be lost in a crash; a poll each second limits the delay.
  const timer = setInterval(scheduleClaim, 1000)
  scheduleClaim()

  return {
    look: scheduleClaim,
    active: jobs.count,
    queues,
    async check() {
      await claimAll()
      // Also await a claim that another call has started, so that its failure or hang is detected.
      await claim
      const idle = queues.idleSeconds()
      if (idle >= stalledAfterSeconds)
        throw new Error(`jobs that may run have waited for ${idle} s, and this process runs none`)
    },
    async stop(withinMs, { isCrash } = { isCrash: false }) {
      stopping.abort()
      clearInterval(timer)
      queues.stop()
      for (const stop of unsubscribers) stop()
      // A claim in progress may still lease jobs to this process, so wait for it before jobs are returned.
      const ended = claim.catch(() => undefined).then(jobs.ended)
      await Promise.race([ended, sleepUnref(withinMs)])
      await requeueAll(deps, isCrash ? { cost: crashAttemptCost - 1 } : {})
    },
  }
}

/** Combines several wake-ups in one turn of the event loop, such as those at the end of a page, into one call. */
function debouncePerTurn(callback: () => void): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      callback()
    })
  }
}

async function requeueAll({ store, holder }: RunDeps, options: { cost?: number }): Promise<void> {
  // A hanging store must not block the shutdown: the leases expire by themselves.
  await Promise.race([requeueJobs(store, { holder: holder.id, ...options }), sleepUnref(2000)])
  store.notify('queued', '')
}

const sleepUnref = (milliseconds: number) =>
  new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

interface ClaimDeps extends Pick<RunDeps, 'store' | 'holder'> {
  /** Slots of a team without its own limit. */
  concurrency: number
  permits: Permits
  /** Stops claiming when it aborts. */
  stopping: AbortSignal
  /** Runs a claimed job. Its permit is held until the promise settles. */
  run(row: JobRow): Promise<void>
}

/** State that one claim round leaves for the next. */
interface ClaimState {
  /** True if queued jobs need a slot, so that a freed slot should trigger a claim. */
  waitsForSlots: boolean
  /** True if the store failed during a claim. */
  mayHaveLost: boolean
}

/** Maximum jobs of a team per claim. More would hold the locks of one transaction for too long. */
const maxClaimedJobs = 64

/** Claims and starts jobs until none are left or no permit is free. */
async function claimJobs(deps: ClaimDeps, state: ClaimState): Promise<void> {
  await requeueLost(deps, state)
  await claimFor(deps, await teamsWithSlotlessJobs(deps.store.query), claimSlotlessJobs)
  const teams = await teamsWaiting(deps.store.query)
  state.waitsForSlots = teams.length > 0
  await claimFor(deps, teams, claimForTeam)
}

/** Requeues jobs that the store may have leased to this process although its response was lost, because no code runs them. */
async function requeueLost({ store, holder }: ClaimDeps, state: ClaimState): Promise<void> {
  if (!state.mayHaveLost) return
  await requeueJobs(store, { holder: holder.id, except: holder.ids() })
  state.mayHaveLost = false
}

type Claim = typeof claimForTeam

/** Acquires free permits for the teams with queued jobs, and claims as many jobs for each. */
async function claimFor(deps: ClaimDeps, teams: string[], claim: Claim): Promise<void> {
  const waiting = new Set(teams)
  const failures: unknown[] = []
  const claimRound = async (batches: ReadonlyMap<string, PermitBatch>) => {
    for (const [teamId, batch] of batches) {
      const hasMore = await claimInto(deps, { batch, teamId }, claim).catch((thrown) => {
        // Every claim would fail. Any other error concerns only this team, so the other teams are served.
        if (isStoreUnavailable(thrown)) throw thrown
        failures.push(thrown)
        return false
      })
      if (!hasMore) waiting.delete(teamId)
    }
    return batches.size > 0
  }
  while (await deps.permits.runWithFree({ teams: waiting, maxPerTeam: maxClaimedJobs }, claimRound));
  if (failures.length > 0) throw failures[0]
}

/** Returns false if the team has no more jobs that may run now. */
async function claimInto(
  { store, holder, concurrency, stopping, run }: ClaimDeps,
  { batch, teamId }: { batch: PermitBatch; teamId: string },
  claim: Claim,
): Promise<boolean> {
  if (stopping.aborted) return false
  const rows = await claim(store, { teamId, limit: batch.size(), concurrency, lease: holder.lease() })
  // A stopping process returns claimed jobs to the queue instead of starting them.
  if (stopping.aborted) return false
  for (const row of rows) void batch.run(() => run(row))
  return batch.size() === 0
}

interface ActiveOptions {
  kinds: AnyBackgroundKind[]
  load: Pick<Load, 'giveWay' | 'jobBegan'> | undefined
  /** Runs after the end of a job. */
  onEnd(): void
}

/** Creates the set of background jobs that this process runs. */
function activeJobs(deps: RunDeps, { kinds, load, onEnd }: ActiveOptions) {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const active = new Set<Promise<void>>()
  let started = 0

  async function runToEnd(row: JobRow, signal: AbortSignal): Promise<void> {
    await load?.giveWay()
    const parsed = await attempt(deps, row, signal, async () => parseInput(byName, row))
    // A job whose input cannot be parsed can never run, and the part of it that may be stored is unknown.
    if ('error' in parsed) return endRun(deps, { ...row, input: '{}' }, parsed)
    await runJob(deps, parsed.kind, { row, input: parsed.input, waitedMs: undefined, spentMs: 0, signal })
  }

  return {
    count: () => active.size,
    /** Returns the number of jobs that were started since the process began. */
    started: () => started,
    /** Runs a job that was claimed for this process. */
    run(row: JobRow): Promise<void> {
      started += 1
      const signal = deps.holder.hold(row.id)
      const end = deps.activity?.begin(`job ${row.id} ${row.kind}`)
      const running = runToEnd(row, signal)
        .catch((cause) => requeue(deps, row, cause))
        .finally(() => {
          active.delete(running)
          end?.()
          onEnd()
        })
      active.add(running)
      load?.jobBegan()
      return running
    },
    /** Resolves when all currently running jobs have ended. */
    ended: () => Promise.all(active),
  }
}

async function requeue({ store, holder, log }: RunDeps, row: JobRow, cause: unknown): Promise<void> {
  holder.release(row.id)
  log.error({ cause, job: row.id }, 'the end of a job could not be recorded; it is given back')
  // If the store does not accept this either, the lease expires, and the job is started again.
  await requeueJobs(store, { holder: holder.id, id: row.id }).catch(() => undefined)
}

function parseInput(kinds: Map<string, AnyBackgroundKind>, row: JobRow) {
  const kind = kinds.get(row.kind)
  if (!kind) throw new AppError('INTERNAL', {}, { message: `No such kind of job: ${row.kind}` })
  return { kind, input: kind.input.read(row.input) }
}
