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
  /** Looks for work now instead of at the next wake-up. */
  look(): void
  active(): number
  queues: Pick<QueueWatch, 'look' | 'stalled' | 'idleSeconds'>
  /** Claims once. Fails as claiming fails, and if jobs that may run have waited too long while this process runs none. */
  check(): Promise<void>
  /** Claims nothing more, waits for what runs, gives the rest back. */
  stop(withinMs: number, how?: { isCrash: boolean }): Promise<void>
}

export interface RunnerOptions {
  kinds: AnyBackgroundKind[]
  /** Jobs at the same time, whatever the load allows. */
  capacity: number
  concurrency: number
  /** Undefined: as many as the capacity says. */
  load?: Load
}

/** For teams that have nothing running here: a team that has filled the rest cannot make them wait. */
const sparePermits = 8

/** Claims background jobs and runs them, fairly between teams, as many at once as this process can carry. */
export function startRunner(deps: RunDeps, options: RunnerOptions): Runner {
  const { kinds, capacity, concurrency, load } = options
  const stopping = new AbortController()
  const state: ClaimState = { waitsForSlots: false, mayHaveLost: false }
  // Every synchronous call frees a slot when it ends: without a queue there is nothing to look for.
  const lookIfWaiting = () => void (state.waitsForSlots && look())
  const jobs = activeJobs(deps, { kinds, load, onEnd: lookIfWaiting })
  const claiming = {
    ...{ store: deps.store, holder: deps.holder, concurrency },
    permits: new Permits({ count: load ? load.allowed : capacity, spare: sparePermits }),
    run: jobs.run,
    stopping: stopping.signal,
  }
  const queues = watchQueues({ ...deps, concurrency, permits: claiming.permits, jobs })
  let claim = Promise.resolve()
  const claimAll = coalesce(() => {
    claim = claimJobs(claiming, state)
    return claim
  }, stopping.signal)
  const look = oncePerTurn(() => {
    claimAll().catch((cause) => {
      state.mayHaveLost = true
      deps.log.warn({ cause }, 'jobs could not be claimed; trying again')
    })
  })
  load?.watch({ active: jobs.count, onRoom: lookIfWaiting })
  const unlisten = [deps.store.listen('queued', look), deps.store.listen('slot', lookIfWaiting)]
  // Wake-ups can be lost in a crash; a look each second bounds what that costs.
  const timer = setInterval(look, 1000)
  look()

  return {
    look,
    active: jobs.count,
    queues,
    async check() {
      await claimAll()
      // A claim that another call has begun fails here too, or does not return.
      await claim
      const idle = queues.idleSeconds()
      if (idle >= stalledAfterSeconds)
        throw new Error(`jobs that may run have waited for ${idle} s, and this process runs none`)
    },
    async stop(withinMs, { isCrash } = { isCrash: false }) {
      stopping.abort()
      clearInterval(timer)
      queues.stop()
      for (const stop of unlisten) stop()
      // A claim in progress still takes jobs in the name of this process, so it ends before jobs are given back.
      const ended = claim.catch(() => undefined).then(jobs.ended)
      await Promise.race([ended, after(withinMs)])
      await giveBackAll(deps, isCrash ? { cost: crashAttemptCost - 1 } : {})
    },
  }
}

/** Several wake-ups in one turn, as the end of a page makes them, are answered with one look. */
function oncePerTurn(look: () => void): () => void {
  let isComing = false
  return () => {
    if (isComing) return
    isComing = true
    setImmediate(() => {
      isComing = false
      look()
    })
  }
}

async function giveBackAll({ store, holder }: RunDeps, counted: { cost?: number }): Promise<void> {
  // A store that hangs does not hold up the end: the leases run out by themselves.
  await Promise.race([requeueJobs(store, { holder: holder.id, ...counted }), after(2000)])
  store.notify('queued', '')
}

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())

interface ClaimDeps extends Pick<RunDeps, 'store' | 'holder'> {
  /** Slots of a team that has no number of its own. */
  concurrency: number
  permits: Permits
  /** Nothing more is claimed after its abort. */
  stopping: AbortSignal
  /** Runs a claimed job. Its permit is held until the promise settles. */
  run(row: JobRow): Promise<void>
}

/** What one look for jobs leaves for the next. */
interface ClaimState {
  /** Jobs wait that take a slot: one that becomes free is worth a look. */
  waitsForSlots: boolean
  /** The store failed while it was asked for jobs. */
  mayHaveLost: boolean
}

/** Jobs of a team that are claimed together; more would hold the locks of one transaction for too long. */
const maxClaimed = 64

/** Claims and starts jobs until nothing is left to claim or no permit is free. */
async function claimJobs(deps: ClaimDeps, state: ClaimState): Promise<void> {
  await takeBackLost(deps, state)
  await claimFor(deps, await teamsWithSlotlessJobs(deps.store.query), claimSlotlessJobs)
  const teams = await teamsWaiting(deps.store.query)
  state.waitsForSlots = teams.length > 0
  await claimFor(deps, teams, claimForTeam)
}

/** A store that was away may have given us jobs without being able to say so: nobody runs them. */
async function takeBackLost({ store, holder }: ClaimDeps, state: ClaimState): Promise<void> {
  if (!state.mayHaveLost) return
  await requeueJobs(store, { holder: holder.id, except: holder.ids() })
  state.mayHaveLost = false
}

type Claim = typeof claimForTeam

/** Takes free permits on behalf of the teams that wait, and claims as many jobs for each. */
async function claimFor(deps: ClaimDeps, teams: string[], claim: Claim): Promise<void> {
  const waiting = new Set(teams)
  const failures: unknown[] = []
  const claimRound = async (batches: ReadonlyMap<string, PermitBatch>) => {
    for (const [teamId, batch] of batches) {
      const hasMore = await claimInto(deps, { batch, teamId }, claim).catch((thrown) => {
        // Every claim would fail. A failure of another kind concerns this team only: the other teams are served.
        if (isStoreUnavailable(thrown)) throw thrown
        failures.push(thrown)
        return false
      })
      if (!hasMore) waiting.delete(teamId)
    }
    return batches.size > 0
  }
  while (await deps.permits.runWithFree({ teams: waiting, maxPerTeam: maxClaimed }, claimRound));
  if (failures.length > 0) throw failures[0]
}

/** Returns false if the team has nothing more that may run now. */
async function claimInto(
  { store, holder, concurrency, stopping, run }: ClaimDeps,
  { batch, teamId }: { batch: PermitBatch; teamId: string },
  claim: Claim,
): Promise<boolean> {
  if (stopping.aborted) return false
  const rows = await claim(store, { teamId, most: batch.size(), concurrency, lease: holder.lease() })
  // A process that stops gives back what it has claimed, instead of starting it.
  if (stopping.aborted) return false
  for (const row of rows) void batch.run(() => run(row))
  return batch.size() === 0
}

interface ActiveOptions {
  kinds: AnyBackgroundKind[]
  load: Pick<Load, 'giveWay' | 'jobBegan'> | undefined
  /** Called after the end of a job. */
  onEnd(): void
}

/** The background jobs that this process runs. */
function activeJobs(deps: RunDeps, { kinds, load, onEnd }: ActiveOptions) {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const active = new Set<Promise<void>>()
  let started = 0

  async function runToEnd(row: JobRow, signal: AbortSignal): Promise<void> {
    await load?.giveWay()
    const read = await attempt(deps, row, signal, async () => fromRecord(byName, row))
    // What cannot be read cannot be run, however often it is tried; nor is it known what of it may stay.
    if ('error' in read) return endRun(deps, { ...row, input: '{}' }, read)
    await runJob(deps, read.kind, { row, input: read.input, waitedMs: undefined, spentMs: 0, signal })
  }

  return {
    count: () => active.size,
    /** Number of jobs that were started since the process began. */
    started: () => started,
    /** Runs a job that was claimed for this process. */
    run(row: JobRow): Promise<void> {
      started += 1
      const signal = deps.holder.hold(row.id)
      const end = deps.activity?.begin(`job ${row.id} ${row.kind}`)
      const running = runToEnd(row, signal)
        .catch((cause) => giveBack(deps, row, cause))
        .finally(() => {
          active.delete(running)
          end?.()
          onEnd()
        })
      active.add(running)
      load?.jobBegan()
      return running
    },
    /** Resolves when all that run now have ended. */
    ended: () => Promise.all(active),
  }
}

async function giveBack({ store, holder, log }: RunDeps, row: JobRow, cause: unknown): Promise<void> {
  holder.release(row.id)
  log.error({ cause, job: row.id }, 'the end of a job could not be recorded; it is given back')
  // Where the store does not take that either, the lease runs out, and the job is started again.
  await requeueJobs(store, { holder: holder.id, id: row.id }).catch(() => undefined)
}

function fromRecord(kinds: Map<string, AnyBackgroundKind>, row: JobRow) {
  const kind = kinds.get(row.kind)
  if (!kind) throw new AppError('INTERNAL', {}, { message: `No such kind of job: ${row.kind}` })
  return { kind, input: kind.input.read(row.input) }
}
