import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import type { StoredError } from '../platform/errors.ts'
import type { Ending, JobRow } from '../store/jobs/jobs.ts'
import { endParent, hasActiveChildren } from '../store/jobs/parents.ts'
import { lockParent } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { endedJob, type ObserveEnd } from './ended-job.ts'
import { publishJobEnd } from './job-events.ts'

/** A child that ends in the transaction at hand, and what its run has to say to its parent. */
export interface EndedChild {
  row: JobRow
  ending: Ending
  note: unknown
}

export interface ParentEnd {
  state: 'completed' | 'failed' | 'cancelled'
  error?: StoredError
}

/**
 * What parents add to the ends of their children and to their own: more children, events for webhooks. Everything
 * happens inside the transaction that ends the job, so that neither is ever true without the other.
 */
export interface ParentHooks {
  childrenEnded(transaction: Queryable, ended: EndedChild[]): Promise<void>
  /** No child lives. Undefined: there was more to do, and the parent goes on. */
  lastEnded(transaction: Queryable, parent: JobRow): Promise<ParentEnd | undefined>
  parentEnded(transaction: Queryable, parent: JobRow, end: ParentEnd): Promise<void>
}

interface FinishDeps {
  store: Store
  clock: Clock
  parentHooks: ParentHooks
  observeEnd?: ObserveEnd
}

/** The parents of a store that are looked at in the next turn. */
const lookedAt = new WeakMap<Store, Map<string, Promise<void>>>()

/**
 * Ends a parent whose children have all ended. It is called after the end of each child, and by the reaper. Children that end
 * in one commit call it in one turn: they share one look at the store, which starts after all of these calls.
 */
export function finishParent(deps: FinishDeps, parentId: string): Promise<void> {
  const soon = lookedAt.get(deps.store) ?? new Map<string, Promise<void>>()
  lookedAt.set(deps.store, soon)
  const look = async () => {
    await nextTurn()
    soon.delete(parentId)
    await endIfAllHaveEnded(deps, parentId)
  }
  const shared = soon.get(parentId) ?? look()
  soon.set(parentId, shared)
  return shared
}

async function endIfAllHaveEnded(deps: FinishDeps, parentId: string): Promise<void> {
  // Most children leave living siblings behind: a look without a lock is enough for those.
  if (await hasActiveChildren(deps.store.query, parentId)) return
  const ended = await deps.store.transaction(async (transaction) => {
    const parent = await lockParent(deps.store, transaction, parentId)
    if (parent?.state !== 'running' || (await hasActiveChildren(transaction, parentId))) return undefined
    const end = await deps.parentHooks.lastEnded(transaction, parent)
    if (!end || end.state === 'cancelled') return 'goes on'
    const now = deps.clock.now()
    await endParent(transaction, parentId, { state: end.state, error: end.error, now })
    await deps.parentHooks.parentEnded(transaction, { ...parent, finished_at: now }, end)
    return { parent, state: end.state, at: now, code: end.error?.code }
  })
  if (ended === 'goes on') return deps.store.notify('queued', '')
  deps.store.notify('deliveries', '')
  if (!ended) return
  publishJobEnd(deps.store, ended.parent, ended)
  const { parent, state, code, at } = ended
  deps.observeEnd?.({
    ...endedJob(parent, { state, code, credits: 0, now: at }, undefined),
    startedAt: parent.created_at,
  })
}
