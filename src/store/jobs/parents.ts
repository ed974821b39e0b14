import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StoredError } from '../../platform/errors.ts'
import { countRows, hasValues } from '../prepared.ts'
import type { JobRow, JobState, Queryable, Store } from '../schema.ts'
import { withCode, writeError } from './job-errors.ts'
import { activeStates } from './queue-counts.ts'

export async function hasActiveChildren(query: Queryable, parentId: string): Promise<boolean> {
  const row = await query
    .selectFrom('jobs')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('state', 'in', activeStates)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function endParent(
  query: Queryable,
  id: string,
  ending: { state: 'completed' | 'failed'; error: StoredError | undefined; now: number },
): Promise<void> {
  await query
    .updateTable('jobs')
    .set({
      state: ending.state,
      error: ending.error ? writeError(ending.error) : null,
      finished_at: ending.now,
    })
    .where(hasValues({ id, state: 'running' }))
    .execute()
}

/** Call it under the lock of the parent. */
export async function recordChildrenEnded(query: Queryable, id: string, last: number): Promise<void> {
  await query.updateTable('jobs').set({ children_ended: last }).where('id', '=', id).execute()
}

export async function reopenParent(query: Queryable, id: string): Promise<void> {
  await query.updateTable('jobs').set({ state: 'running', finished_at: null }).where('id', '=', id).execute()
}

export function findRunningParents(query: Queryable) {
  return query
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where(hasValues({ state: sql.lit('running'), takes_slot: sql.lit(0) }))
    .where('leased_by', 'is', null)
    .execute()
}

export async function releaseHeld(
  store: Store,
  query: Queryable,
  release: { parentId: string; limit: number; now: number },
): Promise<number> {
  const { parentId, limit, now } = release
  const held = selectLeaves(query, parentId)
    .select('id')
    .where('state', '=', 'held')
    // No held child has an `ended_number`, so they are sorted by id; the column is included to match the index.
    .orderBy('ended_number')
    .orderBy('id')
    .limit(limit)
  const ids = (await store.skipLocked(held).execute()).map((row) => row.id)
  if (ids.length > 0)
    await query.updateTable('jobs').set({ state: 'queued', queued_at: now }).where('id', 'in', ids).execute()
  return ids.length
}

/** Selects the children that read pages. Other children take no slot. */
function selectLeaves(query: Queryable, parentId: string) {
  return query.selectFrom('jobs').where(hasValues({ parent_id: parentId, takes_slot: 1 }))
}

export async function countChildren(query: Queryable, parentId: string) {
  const rows = await selectLeaves(query, parentId)
    .select(['state', sql<number>`count(*)`.as('count'), sql<number>`sum(credits)`.as('credits')])
    .groupBy('state')
    .execute()
  const countOf = (state: JobState) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    queued: Number(countOf('queued')) + Number(countOf('held')),
    running: countOf('running'),
    completed: countOf('completed'),
    failed: countOf('failed'),
    cancelled: countOf('cancelled'),
    credits: rows
      .filter((row) => row.state === 'completed' || row.state === 'failed' || row.state === 'cancelled')
      .reduce((sum, row) => sum + Number(row.credits), 0),
  }
}

export async function countFailedWith<Code extends string>(
  query: Queryable,
  parentId: string,
  codes: readonly Code[],
): Promise<Map<Code, number>> {
  const counts = new Map<Code, number>()
  for (const code of codes) {
    const failed = selectLeaves(query, parentId).where('state', '=', 'failed')
    counts.set(code, await countRows(failed.where('error', 'like', withCode(code))))
  }
  return counts
}

export function findFirstFailed(query: Queryable, parentId: string, excludedCodes: readonly string[]) {
  let select = selectLeaves(query, parentId).selectAll().where('state', '=', 'failed')
  for (const code of excludedCodes) select = select.where('error', 'not like', withCode(code))
  return select.orderBy('ended_number').orderBy('id').limit(1).executeTakeFirst()
}

/** Ended leaves are in the order in which they ended, so later ones are appended to the list. */
export function listChildren(
  query: Queryable,
  options: { parentId: string; state: JobState; skip: number; limit: number },
): Promise<JobRow[]> {
  return selectLeaves(query, options.parentId)
    .selectAll()
    .where('state', '=', options.state)
    .orderBy('ended_number')
    .orderBy('id')
    .limit(options.limit)
    .offset(options.skip)
    .execute()
}

export function listNextCompleted(
  query: Queryable,
  options: { parentId: string; after: Pick<JobRow, 'ended_number' | 'id'> | undefined; limit: number },
): Promise<JobRow[]> {
  const { parentId, after, limit } = options
  return selectLeaves(query, parentId)
    .selectAll()
    .where('state', '=', 'completed')
    .$if(after !== undefined, (filtered) =>
      filtered.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('ended_number', 'id'), '>', tuple(after?.ended_number ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('ended_number')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Cancels a parent and every active child. Returns the running children, whose runners must stop. */
export async function cancelParent(
  query: Queryable,
  parentId: string,
  end: { error: StoredError; now: number },
): Promise<string[]> {
  const cancelled = {
    state: 'cancelled' as const,
    finished_at: end.now,
    leased_by: null,
    lease_until: null,
    credits: 0,
  }
  await query
    .updateTable('jobs')
    .set({ ...cancelled, error: writeError(end.error) })
    .where('id', '=', parentId)
    .where('state', 'in', activeStates)
    .execute()
  // The input is erased, because it may contain secrets of the caller and is no longer needed.
  const cancelling = query.updateTable('jobs').set({ ...cancelled, input: '{}' })
  const waiting = query
    .selectFrom('jobs')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('state', 'in', ['held', 'queued'])
    .limit(500)
  // There may be thousands of them, so yield to the event loop between batches.
  for (let count = 1n; count > 0n; await nextTurn()) {
    count = (await cancelling.where('id', 'in', waiting).executeTakeFirst()).numUpdatedRows
  }
  const running = await cancelling
    .where('parent_id', '=', parentId)
    .where('state', 'in', activeStates)
    .returning('id')
    .execute()
  return running.map((child) => child.id)
}

export async function countActiveLeaves(query: Queryable, parentId: string): Promise<number> {
  return countRows(selectLeaves(query, parentId).where('state', 'in', activeStates))
}

export function findParents(query: Queryable, ids: string[]): Promise<JobRow[]> {
  return query.selectFrom('jobs').selectAll().where('id', 'in', ids).execute()
}
