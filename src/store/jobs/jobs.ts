import { sql } from 'kysely'
import type { StoredError } from '../../platform/errors.ts'
import { countRows, createChunkedInsert, prepared } from '../prepared.ts'
import type { JobRow, JobState, Queryable } from '../schema.ts'
import { countRemovedCalls } from './daily-usage.ts'
import { writeError } from './job-errors.ts'

export type { JobRow, JobState } from '../schema.ts'

/** Any number of them; everything else gets its turn in between. */
export async function insertJobs(query: Queryable, rows: JobRow[]): Promise<void> {
  await insertRows(query, rows)
}

const columns = [
  ...(['id', 'team_id', 'key_id', 'parent_id', 'kind', 'state', 'foreground'] as const),
  ...(['takes_slot', 'input', 'target', 'origin', 'retain', 'attempts', 'leased_by'] as const),
  ...([
    'lease_until',
    'deadline_at',
    'created_at',
    'queued_at',
    'started_at',
    'finished_at',
    'ended_number',
  ] as const),
  ...(['children_ended', 'credits', 'result', 'result_blob', 'error', 'trace'] as const),
]

const insertRows = createChunkedInsert<JobRow>(columns, (query, rows) =>
  query.insertInto('jobs').values(rows),
)

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
  /** What happened on its way, as JSON. */
  trace?: string | null
  now: number
  /** Of a child: see `ended_number`. */
  number?: number
  /** What is kept of the input from now on, as JSON. */
  input: string
  /** Forget what the job was about: nothing may be kept of it. */
  forget: boolean
  /** Where the job is a session: how that ended. */
  session?: SessionEnd
}

/** The end of a job that brought nothing and costs nothing. */
export function endWithoutResult(
  row: JobRow,
  end: Pick<Ending, 'holder' | 'state' | 'error' | 'now'>,
): Ending {
  const { id, input, retain } = row
  return { id, credits: 0, result: null, resultBlob: null, input, forget: retain === 0, ...end }
}

interface SessionEnd {
  status: 'destroyed' | 'error'
  reason: string
  lastActivity: number
  givesScrapeFree: boolean
}

/** Ends a job that has not ended. False: someone else ended it or took it over, and nothing was changed. */
export async function endJob(query: Queryable, ending: Ending): Promise<boolean> {
  const { trace = null, number = null, holder = null, leaseBefore = null } = ending
  const forget = ending.forget ? 1 : 0
  const values = { ...ending, ...retainedColumns(ending), trace, number, forget, holder, leaseBefore }
  const { numAffectedRows } = await endOne(query, values)
  return (numAffectedRows ?? 0n) > 0n
}

/** What an ended job still says of its input and its error. */
export function retainedColumns({ input, error, forget }: Pick<Ending, 'input' | 'error' | 'forget'>) {
  const kept = error && forget ? { code: error.code, error: '', detail: {} } : error
  return { input: forget ? '{}' : input, error: kept ? writeError(kept) : null }
}

interface EndValues
  extends Pick<Ending, 'id' | 'state' | 'credits' | 'result' | 'resultBlob' | 'now' | 'input'> {
  error: string | null
  trace: string | null
  number: number | null
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
      trace: value('trace'),
      finished_at: value('now'),
      ended_number: value('number'),
      leased_by: null,
      lease_until: null,
      input: value('input'),
      target: sql`case when cast(${value('forget')} as integer) = 1 then null else target end`,
    })
    .where('id', '=', value('id'))
    .where('state', 'in', ['held', 'queued', 'running'])
    // Conditions that do not apply are given as null. The holder is compared in a way that its index does not serve: PostgreSQL
    // expects few leases among many ended jobs, and would read all of the holder's to find the one that has the id.
    .where(
      sql<boolean>`(cast(${value('holder')} as text) is null or coalesce(leased_by, '') = ${value('holder')})`,
    )
    .where(
      sql<boolean>`(cast(${value('leaseBefore')} as bigint) is null or lease_until < ${value('leaseBefore')})`,
    ),
)

export async function countQueued(query: Queryable, teamId: string): Promise<number> {
  return countRows(
    query
      .selectFrom('jobs')
      .where('state', 'in', ['held', 'queued'])
      .where('team_id', '=', teamId)
      .where('takes_slot', '=', 1),
  )
}

/** Credits that the living jobs of a team have set aside. */
export async function sumReservedCredits(query: Queryable, teamId: string): Promise<number> {
  const { rows } = await setAside(query, { teamId })
  return rows.reduce((sum, { credits }) => sum + Number(credits), 0)
}

const setAside = prepared<{ teamId: string }, { credits: number }>((query, value) => {
  // One state at a time: each has an index that holds its rows alone, so what has ended costs nothing here.
  const living = (state: 'held' | 'queued' | 'running') =>
    query
      .selectFrom('jobs')
      .select(sql<number>`coalesce(sum(credits), 0)`.as('credits'))
      .where('team_id', '=', value('teamId'))
      .where('state', '=', sql.lit(state))
  // What waits takes a slot. Of what runs, sessions take none and have credits set aside all the same.
  const waiting = (state: 'held' | 'queued') => living(state).where('takes_slot', '=', sql.lit(1))
  return living('running').unionAll(waiting('queued')).unionAll(waiting('held'))
})

/**
 * Removes jobs that ended before a moment, some at a time. Children go
 * with their parent and not before: a long batch must not lose its first pages while its last ones run. `from` is the end
 * of the last job that was removed: a million pages that stay are then passed over once, not for each batch. Call it inside
 * a transaction: calls that are removed are counted.
 */
export async function removeEndedBefore(
  query: Queryable,
  moment: number,
  from?: number,
): Promise<{ id: string; endedAt: number }[]> {
  const old = query
    .selectFrom('jobs as old')
    .leftJoin('jobs as parent', 'parent.id', 'old.parent_id')
    .select('old.id')
    .where('old.finished_at', '<', moment)
    .$if(from !== undefined, (rest) => rest.where('old.finished_at', '>=', from ?? 0))
    .where(({ or, eb }) => or([eb('parent.id', 'is', null), eb('parent.finished_at', '<', moment)]))
    .orderBy('old.finished_at')
    .limit(500)
  const rows = await query
    .deleteFrom('jobs')
    .where('id', 'in', old)
    .returning(['id', 'team_id', 'parent_id', 'kind', 'state', 'created_at', 'finished_at'])
    .execute()
  await countRemovedCalls(query, rows)
  return rows.map((row) => ({ id: row.id, endedAt: row.finished_at ?? moment }))
}
