import { coalesce } from '../base/coalesce.ts'
import { Permits } from '../base/permits.ts'
import { requeueJobs } from '../store/leases.ts'
import { activeJobs } from './active-jobs.ts'
import { type ClaimState, claimJobs } from './claim-jobs.ts'
import { type AnyBackgroundKind, costOfCrash } from './job.ts'
import type { Load } from './load.ts'
import { type QueueWatch, stalledAfterSeconds, watchQueues } from './queue-watch.ts'
import type { RunNeeds } from './run-job.ts'

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
export function startRunner(needs: RunNeeds, options: RunnerOptions): Runner {
  const { kinds, capacity, concurrency, load } = options
  const stopping = new AbortController()
  const state: ClaimState = { waitsForSlots: false, mayHaveLost: false }
  // Every synchronous call frees a slot when it ends: without a queue there is nothing to look for.
  const lookIfWaiting = () => void (state.waitsForSlots && look())
  const jobs = activeJobs(needs, { kinds, load, onEnd: lookIfWaiting })
  const claiming = {
    ...{ store: needs.store, holder: needs.holder, concurrency },
    permits: new Permits({ count: load ? load.allowed : capacity, spare: sparePermits }),
    run: jobs.run,
    stopping: stopping.signal,
  }
  const queues = watchQueues({ ...needs, concurrency, permits: claiming.permits, jobs })
  let claim = Promise.resolve()
  const claimAll = coalesce(() => {
    claim = claimJobs(claiming, state)
    return claim
  }, stopping.signal)
  const look = oncePerTurn(() => {
    claimAll().catch((cause) => {
      state.mayHaveLost = true
      needs.log.warn({ cause }, 'jobs could not be claimed; trying again')
    })
  })
  load?.watch({ active: jobs.count, onRoom: lookIfWaiting })
  const unlisten = [needs.store.listen('queued', look), needs.store.listen('slot', lookIfWaiting)]
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
      await giveBackAll(needs, isCrash ? { cost: costOfCrash - 1 } : {})
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

async function giveBackAll({ store, holder }: RunNeeds, counted: { cost?: number }): Promise<void> {
  // A store that hangs does not hold up the end: the leases run out by themselves.
  await Promise.race([requeueJobs(store, { holder: holder.id, ...counted }), after(2000)])
  store.notify('queued', '')
}

const after = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds).unref())
