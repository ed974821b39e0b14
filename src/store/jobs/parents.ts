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

/** Ends a parent that runs. */
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

/** Notes the last number that was given to a child at its end. Call it under the lock of the parent. */
export async function recordChildrenEnded(query: Queryable, id: string, last: number): Promise<void> {
  await query.updateTable('jobs').set({ children_ended: last }).where('id', '=', id).execute()
}

/** A parent that has ended runs again, because children were added to it. */
export async function reopenParent(query: Queryable, id: string): Promise<void> {
  await query.updateTable('jobs').set({ state: 'running', finished_at: null }).where('id', '=', id).execute()
}

/** Parents that run: they hold no lease, because their children do the work. */
export function findRunningParents(query: Queryable) {
  return query
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('state', '=', sql.lit('running'))
    .where('takes_slot', '=', sql.lit(0))
    .where('leased_by', 'is', null)
    .execute()
}

/** Lets held children of a parent into the queue, oldest first; as many as others have ended. */
export async function releaseHeld(
  store: Store,
  query: Queryable,
  release: { parentId: string; most: number; now: number },
): Promise<number> {
  const { parentId, most, now } = release
  const held = query
    .selectFrom('jobs')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('state', '=', 'held')
    .where('takes_slot', '=', 1)
    // None of them has ended: this is the order of the index, and of their ids.
    .orderBy('ended_number')
    .orderBy('id')
    .limit(most)
  const ids = (await store.skipLocked(held).execute()).map((row) => row.id)
  if (ids.length > 0)
    await query.updateTable('jobs').set({ state: 'queued', queued_at: now }).where('id', 'in', ids).execute()
  return ids.length
}

/** How the children of a job stand. Read from the rows, so it can never disagree with them. */
export async function countChildren(query: Queryable, parentId: string) {
  const rows = await query
    .selectFrom('jobs')
    .select(['state', sql<number>`count(*)`.as('count'), sql<number>`sum(credits)`.as('credits')])
    .where('parent_id', '=', parentId)
    .where('takes_slot', '=', 1)
    .groupBy('state')
    .execute()
  const of = (state: JobState) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    queued: Number(of('queued')) + Number(of('held')),
    running: of('running'),
    completed: of('completed'),
    failed: of('failed'),
    cancelled: of('cancelled'),
    credits: rows
      .filter((row) => row.state === 'completed' || row.state === 'failed' || row.state === 'cancelled')
      .reduce((sum, row) => sum + Number(row.credits), 0),
  }
}

/** How many leaves of a parent failed with which of these codes. */
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

/** The first leaf of a parent that failed, with none of these codes. */
export function firstFailed(
  query: Queryable,
  parentId: string,
  without: readonly string[],
): Promise<JobRow | undefined> {
  let select = query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('state', '=', 'failed')
    .where('takes_slot', '=', 1)
  for (const code of without) select = select.where('error', 'not like', withCode(code))
  return select.orderBy('ended_number').orderBy('id').limit(1).executeTakeFirst()
}

/** Leaves of a parent in one state. Those that have ended come in the order in which they did, so pages only grow. */
export function listChildren(
  query: Queryable,
  which: { parentId: string; state: JobState; skip: number; limit: number },
): Promise<JobRow[]> {
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', which.parentId)
    .where('state', '=', which.state)
    .where('takes_slot', '=', 1)
    .orderBy('ended_number')
    .orderBy('id')
    .limit(which.limit)
    .offset(which.skip)
    .execute()
}

/** The next leaves of a parent that have completed, in the order in which they did; from the beginning without `after`. */
export function nextCompleted(
  query: Queryable,
  which: { parentId: string; after: Pick<JobRow, 'ended_number' | 'id'> | undefined; limit: number },
): Promise<JobRow[]> {
  const { parentId, after, limit } = which
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', parentId)
    .where('state', '=', 'completed')
    .where('takes_slot', '=', 1)
    .$if(after !== undefined, (rest) =>
      rest.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('ended_number', 'id'), '>', tuple(after?.ended_number ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('ended_number')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Cancels a parent and every child that has not ended. Answers the children that ran, whose runners must stop. */
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
  const living = ['held', 'queued', 'running'] as const
  await query
    .updateTable('jobs')
    .set({ ...cancelled, error: writeError(end.error) })
    .where('id', '=', parentId)
    .where('state', 'in', living)
    .execute()
  // What they were to do may hold secrets of the caller, and nobody will do it.
  const cancelling = query.updateTable('jobs').set({ ...cancelled, input: '{}' })
  const waiting = query
    .selectFrom('jobs')
    .select('id')
    .where('parent_id', '=', parentId)
    .where('state', 'in', ['held', 'queued'])
    .limit(500)
  // There may be thousands of them; everything else gets its turn in between.
  for (let count = 1n; count > 0n; await nextTurn()) {
    count = (await cancelling.where('id', 'in', waiting).executeTakeFirst()).numUpdatedRows
  }
  const running = await cancelling
    .where('parent_id', '=', parentId)
    .where('state', 'in', living)
    .returning('id')
    .execute()
  return running.map((child) => child.id)
}

/** Leaves of a parent that wait or run. */
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
