import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Permits } from '../platform/permits.ts'
import { findQueueHeads } from '../store/jobs/leases.ts'
import { countFreeForBackground } from '../store/jobs/slots.ts'
import type { Store } from '../store/schema.ts'

export interface QueueWatchDeps {
  store: Store
  clock: Clock
  log: Log
  /** Slots of a team that has no number of its own. */
  concurrency: number
  permits: Pick<Permits, 'isFreeFor'>
  /** Jobs that run in this process, and those that were started since it began. */
  jobs: { count(): number; started(): number }
}

/** Compares what waits in the queue with what this process runs. */
export interface QueueWatch {
  /** Looks once. Two looks without a start of the oldest job of a team show that its queue does not move. */
  look(): Promise<void>
  /** Teams whose oldest job may run and does not start, although this process has free permits. */
  stalled(): { teamId: string; seconds: number }[]
  /** Seconds for which jobs that may run have waited while this process has run none; 0 if it runs one. */
  idleSeconds(): number
  stop(): void
}

const secondsBetweenLooks = 5
/** A queue that has not moved for this time is reported. The runner looks for jobs every second. */
export const stalledAfterSeconds = 30
/** Teams that one line of the log names. */
const maxNamed = 20

interface Unmoved {
  teamId: string
  jobId: string
  /** Consecutive looks at which the job could have been started, and those of them with a free permit. */
  looks: number
  looksWithPermit: number
}

/**
 * Reports queues that do not move. A worker whose claims fail, or whose permits are lost, would otherwise look ready for ever. Time is
 * counted in looks that succeeded: while the store is away, no queue can move.
 */
export function watchQueues(deps: QueueWatchDeps): QueueWatch {
  const { jobs, log } = deps
  let queues = new Map<string, Unmoved>()
  let idleLooks = 0
  let started = jobs.started()

  async function look(): Promise<void> {
    const found = await unmovedQueues(deps, queues)
    report(log, { before: stalledIn(queues), after: stalledIn(found) })
    queues = found
    const isIdle = !hasRun() && [...found.values()].some(({ looks }) => looks > 0)
    idleLooks = isIdle ? idleLooks + 1 : 0
    started = jobs.started()
  }

  /** True if a job has run since the last look. */
  const hasRun = () => jobs.count() > 0 || jobs.started() !== started

  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    await look().catch((cause) => log.warn({ cause }, 'the queues could not be watched; trying again'))
    isLooking = false
  }, secondsBetweenLooks * 1000).unref()

  return {
    look,
    stalled: () =>
      [...stalledIn(queues).values()].map(({ teamId, looksWithPermit }) => ({
        teamId,
        seconds: looksWithPermit * secondsBetweenLooks,
      })),
    idleSeconds: () => (hasRun() ? 0 : idleLooks * secondsBetweenLooks),
    stop: () => clearInterval(timer),
  }
}

async function unmovedQueues(
  deps: QueueWatchDeps,
  queues: ReadonlyMap<string, Unmoved>,
): Promise<Map<string, Unmoved>> {
  const found = new Map<string, Unmoved>()
  for (const takesSlot of [0, 1] as const) {
    for (const { teamId, jobId } of await findQueueHeads(deps.store.query, takesSlot)) {
      const key = `${takesSlot} ${teamId}`
      const known = queues.get(key)
      // Nothing is counted for a team without a free permit, and a busy process should not ask the store about each of many teams.
      if (known?.jobId === jobId && deps.jobs.count() > 0 && !deps.permits.isFreeFor(teamId)) {
        found.set(key, known)
        continue
      }
      const mayRun = known?.jobId === jobId && (takesSlot === 0 || (await hasFreeSlot(deps, teamId)))
      const before = mayRun ? known : undefined
      const looks = before ? before.looks + 1 : 0
      // A look without a free permit does not count, and does not start again: a claim in progress holds them for a moment.
      const counted = before && deps.permits.isFreeFor(teamId) ? 1 : 0
      const looksWithPermit = (before?.looksWithPermit ?? 0) + counted
      found.set(key, { teamId, jobId, looks, looksWithPermit })
    }
  }
  return found
}

async function hasFreeSlot({ store, clock, concurrency }: QueueWatchDeps, teamId: string): Promise<boolean> {
  return (await countFreeForBackground(store.query, { teamId, concurrency, now: clock.now() })) > 0
}

function stalledIn(queues: ReadonlyMap<string, Unmoved>): Map<string, Unmoved> {
  const isStalled = ({ looksWithPermit }: Unmoved) =>
    looksWithPermit * secondsBetweenLooks >= stalledAfterSeconds
  return new Map([...queues].filter(([, queue]) => isStalled(queue)))
}

function report(log: Log, { before, after }: Record<'before' | 'after', Map<string, Unmoved>>): void {
  const teamsOnlyIn = (one: Map<string, Unmoved>, other: Map<string, Unmoved>) => [
    ...new Set([...one].filter(([key]) => !other.has(key)).map(([, { teamId }]) => teamId)),
  ]
  const named = (teams: string[]) => ({ teams: teams.slice(0, maxNamed), count: teams.length })
  const stalled = teamsOnlyIn(after, before)
  if (stalled.length > 0)
    log.error(
      { code: 'QUEUE_STALLED', ...named(stalled), seconds: stalledAfterSeconds },
      'the queue of a team does not move, although its jobs may run and this process has free permits',
    )
  const resumed = teamsOnlyIn(before, after)
  if (resumed.length > 0)
    log.warn({ code: 'QUEUE_RESUMED', ...named(resumed) }, 'the queue of a team moves again, or is empty')
}
