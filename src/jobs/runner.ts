import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, isStoreUnavailable } from '../platform/errors.ts'
import { coalesce } from '../platform/functions.ts'
import { type PermitBatch, Permits } from '../platform/permits.ts'
import type { JobRow } from '../store/jobs/jobs.ts'
import {
  claimForTeam,
  claimSlotlessJobs,
  listTeamsWithQueuedJobs,
  requeueJobs,
} from '../store/jobs/leases.ts'
import { type AnyBackgroundKind, crashAttemptCost } from './job.ts'
import type { Load } from './load-limiter.ts'
import { stalledAfterSeconds, watchQueues } from './queue-watch.ts'
import { attempt, endRun, type RunDeps, runJob } from './run-job.ts'

export type { AnyBackgroundKind } from './job.ts'

export type Runner = ReturnType<typeof startRunner>

export interface RunnerOptions {
  kinds: AnyBackgroundKind[]
  capacity: number
  concurrency: number
  load?: Load
}

/** For teams without running jobs in this process, so that other teams cannot use all permits. */
const sparePermits = 8

export function startRunner(deps: RunDeps, options: RunnerOptions) {
  const { kinds, capacity, concurrency, load } = options
  const stopping = new AbortController()
  const state: ClaimState = { hasJobsWaitingForSlots: false, mayHaveLostClaims: false }
  // Every foreground call frees a slot at its end, but a claim is only useful if queued jobs wait for slots.
  const claimIfWaiting = () => void (state.hasJobsWaitingForSlots && scheduleClaim())
  const jobs = createActiveJobs(deps, { kinds, load, onEnd: claimIfWaiting })
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
      state.mayHaveLostClaims = true
      deps.log.warn({ cause }, 'jobs could not be claimed; trying again')
    })
  })
  load?.watch({ active: jobs.count, onCapacity: claimIfWaiting })
  const unsubscribers = [
    deps.store.listen('queued', scheduleClaim),
    deps.store.listen('slot', claimIfWaiting),
  ]
  // Wake-ups can be lost in a crash, so poll every second.
  const timer = setInterval(scheduleClaim, 1000)
  scheduleClaim()

  return {
    scheduleClaim,
    active: jobs.count,
    queues,
    /** Throws if claiming fails, or if jobs that may run have waited too long while this process runs none. */
    async check(): Promise<void> {
      await claimAll()
      // Also await a claim that another call has started, so that its failure or hang is detected.
      await claim
      const idle = queues.idleSeconds()
      if (idle >= stalledAfterSeconds)
        throw new Error(`jobs that may run have waited for ${idle} s, and this process runs none`)
    },
    async stop(withinMs: number, { isCrash } = { isCrash: false }): Promise<void> {
      stopping.abort()
      clearInterval(timer)
      queues.stop()
      for (const stop of unsubscribers) stop()
      // A claim in progress may still lease jobs to this process, so wait for it before jobs are returned.
      const ended = claim.catch(() => undefined).then(jobs.ended)
      await Promise.race([ended, sleepUnref(withinMs)])
      await requeueAll(deps, isCrash ? { attemptsChange: crashAttemptCost - 1 } : {})
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

async function requeueAll({ store, holder }: RunDeps, options: { attemptsChange?: number }): Promise<void> {
  // A hanging store must not block the shutdown: the leases expire by themselves.
  await Promise.race([requeueJobs(store, { holder: holder.id, ...options }), sleepUnref(2000)])
  store.notify('queued', '')
}

const sleepUnref = (milliseconds: number) => sleep(milliseconds, undefined, { ref: false })

interface ClaimDeps extends Pick<RunDeps, 'store' | 'holder'> {
  concurrency: number
  permits: Permits
  stopping: AbortSignal
  run(row: JobRow): Promise<void>
}

interface ClaimState {
  hasJobsWaitingForSlots: boolean
  mayHaveLostClaims: boolean
}

/** Maximum jobs of a team per claim. More would hold the locks of one transaction for too long. */
const maxClaimedJobs = 64

async function claimJobs(deps: ClaimDeps, state: ClaimState): Promise<void> {
  if (state.mayHaveLostClaims) {
    // The store leased these jobs to this process, but its response was lost, so this process does not run them.
    await requeueJobs(deps.store, { holder: deps.holder.id, except: deps.holder.ids() })
    state.mayHaveLostClaims = false
  }
  await claimFor(deps, await listTeamsWithQueuedJobs(deps.store.query, 0), claimSlotlessJobs)
  const teams = await listTeamsWithQueuedJobs(deps.store.query)
  state.hasJobsWaitingForSlots = teams.length > 0
  await claimFor(deps, teams, claimForTeam)
}

type Claim = typeof claimForTeam

async function claimFor(deps: ClaimDeps, teams: string[], claim: Claim): Promise<void> {
  const waiting = new Set(teams)
  const failures: unknown[] = []
  const claimRound = async (batches: ReadonlyMap<string, PermitBatch>) => {
    for (const [teamId, batch] of batches) {
      const hasMore = await claimInto(deps, { batch, teamId }, claim).catch((thrown) => {
        // If the store is unavailable, every claim would fail. Any other error affects only this team.
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

function createActiveJobs(
  deps: RunDeps,
  options: { kinds: AnyBackgroundKind[]; load: Load | undefined; onEnd(): void },
) {
  const { kinds, load, onEnd } = options
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const active = new Set<Promise<void>>()
  let started = 0

  async function runToEnd(row: JobRow, signal: AbortSignal): Promise<void> {
    await load?.yieldToForeground()
    const parsed = await attempt(deps, row, signal, async () => parseInput(byName, row))
    // Such a job can never run. Its input is deleted, because the fields that may be stored are unknown.
    if ('error' in parsed) return endRun(deps, { ...row, input: '{}' }, parsed)
    await runJob(deps, parsed.kind, { row, input: parsed.input, waitedMs: undefined, spentMs: 0, signal })
  }

  return {
    count: () => active.size,
    started: () => started,
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
      load?.beginJob()
      return running
    },
    ended: () => Promise.all(active),
  }
}

async function requeue({ store, holder, log }: RunDeps, row: JobRow, cause: unknown): Promise<void> {
  holder.release(row.id)
  log.error({ cause, job: row.id }, 'the end of a job could not be recorded; it is given back')
  // If this fails as well, the job is started again after its lease expires.
  await requeueJobs(store, { holder: holder.id, id: row.id }).catch(() => undefined)
}

function parseInput(kinds: Map<string, AnyBackgroundKind>, row: JobRow) {
  const kind = kinds.get(row.kind)
  if (!kind) throw new AppError('INTERNAL', {}, { message: `No such kind of job: ${row.kind}` })
  return { kind, input: kind.input.read(row.input) }
}
