import { sql } from 'kysely'
import type { StoredError } from '../base/errors.ts'
import type { JobRow, JobState, Queryable } from './schema.ts'

export type { JobRow, JobState } from './schema.ts'

export async function insertJobs(query: Queryable, rows: JobRow[]): Promise<void> {
  // SQLite takes at most 32,766 parameters in one statement, PostgreSQL 65,535.
  for (let start = 0; start < rows.length; start += 1000) {
    await query
      .insertInto('jobs')
      .values(rows.slice(start, start + 1000))
      .execute()
  }
}

export function findJob(query: Queryable, id: string): Promise<JobRow | undefined> {
  return query.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface Ending {
  id: string
  /** Only the holder of the lease may end a job; undefined when nobody runs it. */
  holder: string | undefined
  /** Ends the job only if its lease ran out before this moment. */
  leaseBefore?: number
  state: Exclude<JobState, 'queued' | 'running'>
  credits: number
  result: string | null
  resultBlob: string | null
  error: StoredError | undefined
  now: number
  /** What is kept of the input from now on, as JSON. */
  input: string
  /** Forget what the job was about: nothing may be kept of it. */
  forget: boolean
}

/** Ends a job that has not ended. False: someone else ended it or took it over, and nothing was changed. */
export async function endJob(query: Queryable, ending: Ending): Promise<boolean> {
  let update = query
    .updateTable('jobs')
    .set({
      state: ending.state,
      credits: ending.credits,
      result: ending.result,
      result_blob: ending.resultBlob,
      error: ending.error ? JSON.stringify(ending.forget ? { code: ending.error.code } : ending.error) : null,
      finished_at: ending.now,
      leased_by: null,
      lease_until: null,
      ...(ending.forget ? { input: '{}', target: null } : { input: ending.input }),
    })
    .where('id', '=', ending.id)
    .where('state', 'in', ['queued', 'running'])
  if (ending.holder !== undefined) update = update.where('leased_by', '=', ending.holder)
  if (ending.leaseBefore !== undefined) update = update.where('lease_until', '<', ending.leaseBefore)
  const result = await update.executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function countQueued(query: Queryable, teamId: string): Promise<number> {
  const row = await query
    .selectFrom('jobs')
    .select(sql<number>`count(*)`.as('count'))
    .where('state', '=', 'queued')
    .where('team_id', '=', teamId)
    .where('takes_slot', '=', 1)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Credits that the living jobs of a team have set aside. */
export async function creditsSetAside(query: Queryable, teamId: string): Promise<number> {
  const row = await query
    .selectFrom('jobs')
    .select(sql<number>`coalesce(sum(credits), 0)`.as('credits'))
    .where('team_id', '=', teamId)
    .where('takes_slot', '=', 1)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow()
  return Number(row.credits)
}

/** A parent runs while any of its children lives; whoever ends the last child ends the parent. */
export async function endParent(query: Queryable, id: string, now: number): Promise<boolean> {
  const result = await query
    .updateTable('jobs')
    .set({ state: 'completed', finished_at: now })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs as child')
            .select('child.id')
            .where('child.parent_id', '=', id)
            .where('child.state', 'in', ['queued', 'running']),
        ),
      ),
    )
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Parents that run: they hold no lease, because their children do the work. */
export function findRunningParents(query: Queryable) {
  return query
    .selectFrom('jobs')
    .select(['id', 'kind'])
    .where('state', '=', 'running')
    .where('takes_slot', '=', 0)
    .where('leased_by', 'is', null)
    .execute()
}

/** How the children of a job stand. Read from the rows, so it can never disagree with them. */
export async function countChildren(query: Queryable, parentId: string) {
  const rows = await query
    .selectFrom('jobs')
    .select(['state', sql<number>`count(*)`.as('count'), sql<number>`sum(credits)`.as('credits')])
    .where('parent_id', '=', parentId)
    .groupBy('state')
    .execute()
  const of = (state: JobState) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    queued: of('queued'),
    running: of('running'),
    completed: of('completed'),
    failed: of('failed'),
    cancelled: of('cancelled'),
    credits: rows
      .filter((row) => row.state !== 'queued' && row.state !== 'running')
      .reduce((sum, row) => sum + Number(row.credits), 0),
  }
}

export function listChildren(
  query: Queryable,
  which: { parentId: string; state: JobState; skip: number; limit: number },
): Promise<JobRow[]> {
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('parent_id', '=', which.parentId)
    .where('state', '=', which.state)
    .orderBy('id')
    .limit(which.limit)
    .offset(which.skip)
    .execute()
}

/** Cancels a parent and every child that has not ended. Answers the children, whose runners must stop. */
export async function cancelFamily(query: Queryable, parentId: string, now: number): Promise<string[]> {
  const cancelled = {
    state: 'cancelled' as const,
    finished_at: now,
    leased_by: null,
    lease_until: null,
    credits: 0,
  }
  const living = ['queued', 'running'] as const
  await query
    .updateTable('jobs')
    .set(cancelled)
    .where('id', '=', parentId)
    .where('state', 'in', living)
    .execute()
  const children = await query
    .updateTable('jobs')
    .set(cancelled)
    .where('parent_id', '=', parentId)
    .where('state', 'in', living)
    .returning('id')
    .execute()
  return children.map((child) => child.id)
}

export interface ActivityPage {
  teamId: string
  kind: string | undefined
  since: number
  before: { createdAt: number; id: string } | undefined
  limit: number
}

/** Calls of a team, newest first; children of other jobs are not calls. */
export function listActivity(query: Queryable, page: ActivityPage) {
  let select = query
    .selectFrom('jobs')
    .select(['id', 'kind', 'created_at', 'target'])
    .where('team_id', '=', page.teamId)
    .where('parent_id', 'is', null)
    .where('created_at', '>=', page.since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
  if (page.kind !== undefined) select = select.where('kind', '=', page.kind)
  const { before } = page
  if (before) {
    select = select.where((where) =>
      where.or([
        where('created_at', '<', before.createdAt),
        where.and([where('created_at', '=', before.createdAt), where('id', '<', before.id)]),
      ]),
    )
  }
  return select.execute()
}

export async function lastSuccess(query: Queryable, teamId: string): Promise<number | null> {
  const row = await query
    .selectFrom('jobs')
    .select('finished_at')
    .where('team_id', '=', teamId)
    .where('state', '=', 'completed')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.finished_at ?? null
}

/**
 * Removes jobs that ended before a moment, some at a time; answers the blobs that held their results. Children go
 * with their parent and not before: a long batch must not lose its first pages while its last ones run.
 */
export async function removeEndedBefore(
  query: Queryable,
  moment: number,
): Promise<{ id: string; blob: string | null }[]> {
  const old = query
    .selectFrom('jobs as old')
    .leftJoin('jobs as parent', 'parent.id', 'old.parent_id')
    .select('old.id')
    .where('old.finished_at', '<', moment)
    .where(({ or, eb }) => or([eb('parent.id', 'is', null), eb('parent.finished_at', '<', moment)]))
    .orderBy('old.finished_at')
    .limit(500)
  const rows = await query
    .deleteFrom('jobs')
    .where('id', 'in', old)
    .returning(['id', 'result_blob'])
    .execute()
  return rows.map((row) => ({ id: row.id, blob: row.result_blob }))
}
