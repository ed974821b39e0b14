import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StoredError } from '../../platform/errors.ts'
import { countRows } from '../prepared.ts'
import type { JobRow, JobState, Queryable, Store } from '../schema.ts'
import { withCode, writeError } from './job-errors.ts'

export async function hasActiveChildren(query: Queryable, parentId: string): Promise<boolean> {
  const row = await query
    .selectFrom('jobs')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('state', 'in', ['held', 'queued', 'running'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends a running parent. */
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
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Records the last number given to an ended child. Call it under the lock of the parent. */
export async function recordChildrenEnded(query: Queryable, id: string, last: number): Promise<void> {
  await query.updateTable('jobs').set({ children_ended: last }).where('id', '=', id).execute()
}

/** Sets an ended parent to running again, because children were added to it. */
export async function reopenParent(query: Queryable, id: string): Promise<void> {
  await query.updateTable('jobs').set({ state: 'running', finished_at: null }).where('id', '=', id).execute()
}

/** Returns running parents. They have no lease, because their children do the work. */
export function findRunningParents(query: Queryable) {
  return query
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('state', '=', sql.lit('running'))
    .where('takes_slot', '=', sql.lit(0))
    .where('leased_by', 'is', null)
    .execute()
}

/** Moves up to `limit` children on hold to the queue, oldest first. Returns the number of moved children. */
export async function releaseHeld(
  store: Store,
  query: Queryable,
  release: { parentId: string; limit: number; now: number },
): Promise<number> {
  const { parentId, limit, now } = release
  const held = query
    .selectFrom('jobs')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('state', '=', 'held')
    .where('takes_slot', '=', 1)
    // No held child has an `ended_number`, so they are sorted by id; the column is included to match the index.
    .orderBy('ended_number')
    .orderBy('id')
    .limit(limit)
  const ids = (await store.skipLocked(held).execute()).map((row) => row.id)
  if (ids.length > 0)
    await query.updateTable('jobs').set({ state: 'queued', queued_at: now }).where('id', 'in', ids).execute()
  return ids.length
}

/** Counts the children of a job by state. Reads the rows, so the counts always match them. */
export async function countChildren(query: Queryable, parentId: string) {
  const rows = await query
    .selectFrom('jobs')
    .select(['state', sql<number>`count(*)`.as('count'), sql<number>`sum(credits)`.as('credits')])
    .where('parent_id', '=', parentId)
    .where('takes_slot', '=', 1)
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

/** Counts the failed leaves of a parent by error code. */
export async function countFailedWith<Code extends string>(
  query: Queryable,
  parentId: string,
  codes: readonly Code[],
): Promise<Map<Code, number>> {
  const counts = new Map<Code, number>()
  for (const code of codes) {
    const row = await query
      .selectFrom('jobs')
      .select(sql<number>`count(*)`.as('count'))
      .where('parent_id', '=', parentId)
      .where('state', '=', 'failed')
      .where('takes_slot', '=', 1)
      .where('error', 'like', withCode(code))
      .executeTakeFirstOrThrow()
    counts.set(code, Number(row.count))
  }
  return counts
}

/** Returns the first failed leaf of a parent with none of these codes. */
export function findFirstFailed(
  query: Queryable,
  parentId: string,
  excludedCodes: readonly string[],
): Promise<JobRow | undefined> {
  let select = query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('state', '=', 'failed')
    .where('takes_slot', '=', 1)
  for (const code of excludedCodes) select = select.where('error', 'not like', withCode(code))
  return select.orderBy('ended_number').orderBy('id').limit(1).executeTakeFirst()
}

/**
 * Returns leaves of a parent in one state. Ended leaves are in the order in which they ended, so later ones are
 * appended to the list.
 */
export function listChildren(
  query: Queryable,
  options: { parentId: string; state: JobState; skip: number; limit: number },
): Promise<JobRow[]> {
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', options.parentId)
    .where('state', '=', options.state)
    .where('takes_slot', '=', 1)
    .orderBy('ended_number')
    .orderBy('id')
    .limit(options.limit)
    .offset(options.skip)
    .execute()
}

/** Returns the next completed leaves of a parent in the order of their ends; from the beginning without `after`. */
export function listNextCompleted(
  query: Queryable,
  options: { parentId: string; after: Pick<JobRow, 'ended_number' | 'id'> | undefined; limit: number },
): Promise<JobRow[]> {
  const { parentId, after, limit } = options
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('state', '=', 'completed')
    .where('takes_slot', '=', 1)
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
  const activeStates = ['held', 'queued', 'running'] as const
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

/** Counts the waiting and running leaves of a parent. */
export async function countActiveLeaves(query: Queryable, parentId: string): Promise<number> {
  return countRows(
    query
      .selectFrom('jobs')
      .where('parent_id', '=', parentId)
      .where('state', 'in', ['held', 'queued', 'running'])
      .where('takes_slot', '=', 1),
  )
}

export function findParents(query: Queryable, ids: string[]): Promise<JobRow[]> {
  return query.selectFrom('jobs').selectAll().where('id', 'in', ids).execute()
}
