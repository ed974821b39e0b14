import { sql } from 'kysely'
import type { StoredError } from '../base/errors.ts'
import { prepared } from './prepared.ts'
import type { JobRow, JobState, Queryable } from './schema.ts'

export type { JobRow, JobState } from './schema.ts'

export async function insertJobs(query: Queryable, rows: JobRow[]): Promise<void> {
  const [first] = rows
  if (first && rows.length === 1) {
    await insertOne(query, first)
    return
  }
  // SQLite takes at most 32,766 parameters in one statement, PostgreSQL 65,535.
  for (let start = 0; start < rows.length; start += 1000) {
    await query
      .insertInto('jobs')
      .values(rows.slice(start, start + 1000))
      .execute()
  }
}

const columns = [
  ...([
    'id',
    'team_id',
    'key_id',
    'parent_id',
    'kind',
    'state',
    'foreground',
    'takes_slot',
    'input',
  ] as const),
  ...([
    'target',
    'origin',
    'retain',
    'attempts',
    'leased_by',
    'lease_until',
    'deadline_at',
    'created_at',
  ] as const),
  ...(['started_at', 'finished_at', 'credits', 'result', 'result_blob', 'error'] as const),
]

const insertOne = prepared<JobRow>((query, value) => {
  // The list names every column, so the row is whole.
  const row = Object.fromEntries(columns.map((name) => [name, value(name)])) as unknown as JobRow
  return query.insertInto('jobs').values(row)
})

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
  const values = {
    id: ending.id,
    state: ending.state,
    credits: ending.credits,
    result: ending.result,
    resultBlob: ending.resultBlob,
    ...whatMayStay(ending),
    now: ending.now,
    forget: ending.forget ? 1 : 0,
    holder: ending.holder ?? null,
    leaseBefore: ending.leaseBefore ?? null,
  }
  const { numAffectedRows } = await endOne(query, values)
  return (numAffectedRows ?? 0n) > 0n
}

/** What an ended job still says of its input and its error. */
export function whatMayStay({ input, error, forget }: Pick<Ending, 'input' | 'error' | 'forget'>) {
  const stored = error && (forget ? { code: error.code } : error)
  return { input: forget ? '{}' : input, error: stored ? JSON.stringify(stored) : null }
}

interface EndValues
  extends Pick<Ending, 'id' | 'state' | 'credits' | 'result' | 'resultBlob' | 'now' | 'input'> {
  error: string | null
  forget: number
  holder: string | null
  leaseBefore: number | null
}

const endOne = prepared<EndValues>((query, value) =>
  query
    .updateTable('jobs')
    .set({
      state: value('state'),
      credits: value('credits'),
      result: value('result'),
      result_blob: value('resultBlob'),
      error: value('error'),
      finished_at: value('now'),
      leased_by: null,
      lease_until: null,
      input: value('input'),
      target: sql`case when cast(${value('forget')} as integer) = 1 then null else target end`,
    })
    .where('id', '=', value('id'))
    .where('state', 'in', ['queued', 'running'])
    // Conditions that do not apply are given as null.
    .where(sql<boolean>`(cast(${value('holder')} as text) is null or leased_by = ${value('holder')})`)
    .where(
      sql<boolean>`(cast(${value('leaseBefore')} as bigint) is null or lease_until < ${value('leaseBefore')})`,
    ),
)

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
