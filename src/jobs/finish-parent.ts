import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../platform/clock.ts'
import type { StoredError } from '../platform/errors.ts'
import type { Ending, JobRow } from '../store/jobs/jobs.ts'
import { endParent, hasActiveChildren } from '../store/jobs/parents.ts'
import { lockParent } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { endedJob, type ObserveEnd } from './ended-job.ts'
import { publishJobEnd } from './job-events.ts'

export interface EndedChild {
  row: JobRow
  ending: Ending
  note: unknown
}

export interface ParentEnd {
  state: 'completed' | 'failed' | 'cancelled'
  error?: StoredError
}

/** The hooks run in the transaction that ends the job, so that both are committed together. */
export interface ParentHooks {
  childrenEnded(transaction: Queryable, ended: EndedChild[]): Promise<void>
  /** Runs when no child is active. Undefined: there is more to do, so the parent continues. */
  lastEnded(transaction: Queryable, parent: JobRow): Promise<ParentEnd | undefined>
  parentEnded(transaction: Queryable, parent: JobRow, end: ParentEnd): Promise<void>
}

interface FinishDeps {
  store: Store
  clock: Clock
  parentHooks: ParentHooks
  observeEnd?: ObserveEnd
}

const pendingChecks = new WeakMap<Store, Map<string, Promise<void>>>()

/** Children that end in one commit call this in the same turn and share one check, which starts after these calls. */
export function finishParent(deps: FinishDeps, parentId: string): Promise<void> {
  const pending = pendingChecks.get(deps.store) ?? new Map<string, Promise<void>>()
  pendingChecks.set(deps.store, pending)
  const check = async () => {
    await nextTurn()
    pending.delete(parentId)
    await endIfAllHaveEnded(deps, parentId)
  }
  const shared = pending.get(parentId) ?? check()
  pending.set(parentId, shared)
  return shared
}

async function endIfAllHaveEnded(deps: FinishDeps, parentId: string): Promise<void> {
  // Most children have active siblings, for which a check without a lock suffices.
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
