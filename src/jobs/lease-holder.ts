import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { type Lease, renewLeases } from '../store/jobs/leases.ts'
import type { Store } from '../store/schema.ts'

// Three beats, not two: a process that is busy parsing can miss one beat without being dead, and a job that is
// taken over for no reason costs the target a second visit.
const beatsOfLease = 3

/** What this process holds: it renews its leases, and stops work on whatever is no longer its own. */
export interface LeaseHolder {
  id: string
  lease(): Lease
  /** From now on the job is ours; the signal aborts when it was cancelled or taken over. */
  hold(jobId: string): AbortSignal
  release(jobId: string): void
  held(): number
  /** The jobs that are held. */
  ids(): string[]
  stop(): void
}

export function createLeaseHolder(deps: {
  store: Store
  clock: Clock
  log: Log
  leaseMs: number
}): LeaseHolder {
  const id = newId()
  const running = new Map<string, AbortController>()
  const lease = (): Lease => {
    const now = deps.clock.now()
    return { holder: id, until: now + deps.leaseMs, now }
  }
  async function beat(): Promise<void> {
    if (running.size === 0) return
    // A job that starts while the query is under way is not in its answer and must not be taken for lost.
    const asked = new Map(running)
    const own = new Set(await renewLeases(deps.store, [...asked.keys()], lease()))
    for (const [jobId, controller] of asked) if (!own.has(jobId)) controller.abort(new LeaseLost())
  }
  const timer = setInterval(() => {
    beat().catch((cause) => deps.log.warn({ cause }, 'the leases of running jobs could not be renewed'))
  }, deps.leaseMs / beatsOfLease)
  const unlisten = deps.store.listen('cancelled', (jobId) => running.get(jobId)?.abort(new LeaseLost()))
  return {
    id,
    lease,
    hold(jobId) {
      const controller = new AbortController()
      running.set(jobId, controller)
      return controller.signal
    },
    release: (jobId) => void running.delete(jobId),
    held: () => running.size,
    ids: () => [...running.keys()],
    stop() {
      clearInterval(timer)
      unlisten()
    },
  }
}

/** The reason of an abort: the job was cancelled or another process has it. */
class LeaseLost extends Error {}
