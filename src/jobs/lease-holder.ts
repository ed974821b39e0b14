import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { type Lease, renewLeases } from '../store/jobs/leases.ts'
import type { Store } from '../store/schema.ts'

/** Heartbeats per lease. Three allow a busy process to miss one, so that its jobs are not taken over and run again. */
const heartbeatsPerLease = 3

export type LeaseHolder = ReturnType<typeof createLeaseHolder>

export function createLeaseHolder(deps: { store: Store; clock: Clock; log: Log; leaseMs: number }) {
  const id = newId()
  const running = new Map<string, AbortController>()
  const lease = (): Lease => {
    const now = deps.clock.now()
    return { holder: id, until: now + deps.leaseMs, now }
  }
  async function renew(): Promise<void> {
    if (running.size === 0) return
    // Jobs that start during the query are not in its result and must not count as lost.
    const queried = new Map(running)
    const owned = new Set(await renewLeases(deps.store, [...queried.keys()], lease()))
    for (const [jobId, controller] of queried) if (!owned.has(jobId)) controller.abort(new LeaseLost())
  }
  const timer = setInterval(() => {
    renew().catch((cause) => deps.log.warn({ cause }, 'the leases of running jobs could not be renewed'))
  }, deps.leaseMs / heartbeatsPerLease)
  const unsubscribe = deps.store.listen('cancelled', (jobId) => running.get(jobId)?.abort(new LeaseLost()))
  return {
    id,
    lease,
    /** The signal aborts if the job is cancelled or taken over. */
    hold(jobId: string): AbortSignal {
      const controller = new AbortController()
      running.set(jobId, controller)
      return controller.signal
    },
    release: (jobId: string) => void running.delete(jobId),
    held: () => running.size,
    ids: () => [...running.keys()],
    stop(): void {
      clearInterval(timer)
      unsubscribe()
    },
  }
}

class LeaseLost extends Error {}
