import type { Clock } from '../platform/clock.ts'
import { repeat } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import type { Permits } from '../platform/permits.ts'
import { findQueueHeads } from '../store/jobs/leases.ts'
import { countFreeForBackground } from '../store/jobs/slots.ts'
import type { Store } from '../store/schema.ts'

export interface QueueWatchDeps {
  store: Store
  clock: Clock
  log: Log
  concurrency: number
  permits: Pick<Permits, 'isFreeFor'>
  jobs: { count(): number; started(): number }
}

const checkIntervalSeconds = 5
/** The runner claims jobs every second. */
export const stalledAfterSeconds = 30
const maxReportedTeams = 20

interface QueueHead {
  teamId: string
  jobId: string
  checks: number
  checksWithPermit: number
}

/**
 * Detects claims that fail and permits that leak. Counts successful checks instead of seconds, because no job
 * can start while the store fails.
 */
export function watchQueues(deps: QueueWatchDeps) {
  const { jobs, log } = deps
  let queues = new Map<string, QueueHead>()
  let idleChecks = 0
  let started = jobs.started()

  /** A queue is stalled if the oldest job of a team does not start between checks. */
  async function check(): Promise<void> {
    const found = await checkQueueHeads(deps, queues)
    report(log, { before: findStalled(queues), after: findStalled(found) })
    queues = found
    const isIdle = !hasRun() && [...found.values()].some(({ checks }) => checks > 0)
    idleChecks = isIdle ? idleChecks + 1 : 0
    started = jobs.started()
  }

  const hasRun = () => jobs.count() > 0 || jobs.started() !== started

  const timer = repeat(check, checkIntervalSeconds * 1000, {
    failed: (cause) => log.warn({ cause }, 'the queues could not be watched; trying again'),
  })

  return {
    check,
    stalled: () =>
      [...findStalled(queues).values()].map(({ teamId, checksWithPermit }) => ({
        teamId,
        seconds: checksWithPermit * checkIntervalSeconds,
      })),
    idleSeconds: () => (hasRun() ? 0 : idleChecks * checkIntervalSeconds),
    stop: timer.stop,
  }
}

async function checkQueueHeads(deps: QueueWatchDeps, queues: ReadonlyMap<string, QueueHead>) {
  const { store, clock, concurrency } = deps
  const countFree = (teamId: string) =>
    countFreeForBackground(store.query, { teamId, concurrency, now: clock.now() })
  const found = new Map<string, QueueHead>()
  for (const takesSlot of [0, 1] as const) {
    for (const { teamId, jobId } of await findQueueHeads(deps.store.query, takesSlot)) {
      const key = `${takesSlot} ${teamId}`
      const previous = queues.get(key)
      // Without a free permit the check does not count, and a busy process must not query the slots of many teams.
      if (previous?.jobId === jobId && deps.jobs.count() > 0 && !deps.permits.isFreeFor(teamId)) {
        found.set(key, previous)
        continue
      }
      const mayRun = previous?.jobId === jobId && (takesSlot === 0 || (await countFree(teamId)) > 0)
      const continued = mayRun ? previous : undefined
      const checks = continued ? continued.checks + 1 : 0
      // Without a free permit a check neither counts nor resets: a claim in progress holds permits for a moment.
      const increment = continued && deps.permits.isFreeFor(teamId) ? 1 : 0
      const checksWithPermit = (continued?.checksWithPermit ?? 0) + increment
      found.set(key, { teamId, jobId, checks, checksWithPermit })
    }
  }
  return found
}

function findStalled(queues: ReadonlyMap<string, QueueHead>): Map<string, QueueHead> {
  const isStalled = ({ checksWithPermit }: QueueHead) =>
    checksWithPermit * checkIntervalSeconds >= stalledAfterSeconds
  return new Map([...queues].filter(([, queue]) => isStalled(queue)))
}

function report(log: Log, { before, after }: Record<'before' | 'after', Map<string, QueueHead>>): void {
  const teamsOnlyIn = (first: Map<string, QueueHead>, second: Map<string, QueueHead>) => [
    ...new Set([...first].filter(([key]) => !second.has(key)).map(([, { teamId }]) => teamId)),
  ]
  const summarize = (teams: string[]) => ({ teams: teams.slice(0, maxReportedTeams), count: teams.length })
  const stalled = teamsOnlyIn(after, before)
  if (stalled.length > 0)
    log.error(
      { code: 'QUEUE_STALLED', ...summarize(stalled), seconds: stalledAfterSeconds },
      'the queue of a team does not move, although its jobs may run and this process has free permits',
    )
  const resumed = teamsOnlyIn(before, after)
  if (resumed.length > 0)
    log.warn({ code: 'QUEUE_RESUMED', ...summarize(resumed) }, 'the queue of a team moves again, or is empty')
}
