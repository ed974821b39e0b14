import { sql } from 'kysely'
import type { StoredError } from '../../platform/errors.ts'
import { countRows, createChunkedInsert, hasValues, prepared } from '../prepared.ts'
import type { JobRow, JobState, Queryable } from '../schema.ts'
import { countRemovedCalls } from './daily-usage.ts'
import { writeError } from './job-errors.ts'

export type { JobRow, JobState } from '../schema.ts'

const columns = [
  ...(['id', 'team_id', 'key_id', 'parent_id', 'kind', 'state', 'foreground'] as const),
  ...(['takes_slot', 'input', 'target', 'origin', 'retain', 'attempts', 'leased_by'] as const),
  ...(['lease_until', 'deadline_at', 'created_at', 'queued_at', 'started_at', 'finished_at'] as const),
  ...(['ended_number', 'children_ended', 'credits', 'result', 'result_blob', 'error', 'trace'] as const),
]

export const insertJobs = createChunkedInsert<JobRow>(columns, (query, rows) =>
  query.insertInto('jobs').values(rows),
)

export function findJob(query: Queryable, id: string): Promise<JobRow | undefined> {
  return query.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface Ending {
  id: string
  /** Holder of the lease, the only process that may end the job; undefined if no process runs the job. */
  holder: string | undefined
  /** Ends the job only if its lease expired before this time. */
  leaseBefore?: number
  state: Exclude<JobState, 'queued' | 'running'>
  credits: number
  result: string | null
  resultBlob: string | null
  error: StoredError | undefined
  trace?: string | null
  now: number
  number?: number
  input: string
  /** True if input, target and error text must be erased (zero retention). */
  erase: boolean
  session?: {
    status: 'destroyed' | 'error'
    reason: string
    lastActivity: number
    releasesScrape: boolean
  }
}

export function endWithoutResult(row: JobRow, end: Pick<Ending, 'holder' | 'state' | 'error' | 'now'>) {
  const { id, input, retain } = row
  return { id, credits: 0, result: null, resultBlob: null, input, erase: retain === 0, ...end }
}

export async function endJob(query: Queryable, ending: Ending): Promise<boolean> {
  const { numAffectedRows } = await updateEnded(query, toEndValues(ending))
  return (numAffectedRows ?? 0n) > 0n
}

function toEndValues(ending: Ending) {
  const { trace = null, number = null, holder = null, leaseBefore = null } = ending
  const erase = ending.erase ? 1 : 0
  return { ...ending, ...retainedColumns(ending), trace, number, erase, holder, leaseBefore }
}

export function retainedColumns({ input, error, erase }: Pick<Ending, 'input' | 'error' | 'erase'>) {
  const storedError = error && erase ? { code: error.code, error: '', detail: {} } : error
  return { input: erase ? '{}' : input, error: storedError ? writeError(storedError) : null }
}

const updateEnded = prepared<ReturnType<typeof toEndValues>>((query, value) =>
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
      target: sql`case when cast(${value('erase')} as integer) = 1 then null else target end`,
    })
    .where('id', '=', value('id'))
    .where('state', 'in', ['held', 'queued', 'running'])
    // Conditions that do not apply get null. The expression on the holder prevents the use of its index: PostgreSQL
    // expects few leases among many ended jobs, and would read all jobs of the holder to find the one with the id.
    .where(
      sql<boolean>`(cast(${value('holder')} as text) is null or coalesce(leased_by, '') = ${value('holder')})`,
    )
    .where(
      sql<boolean>`(cast(${value('leaseBefore')} as bigint) is null or lease_until < ${value('leaseBefore')})`,
    ),
)

/** Counts each state separately, with literals, because only then can the indexes of one state be used. */
export async function countQueued(query: Queryable, teamId: string): Promise<number> {
  const countIn = (state: 'held' | 'queued') =>
    countRows(
      query
        .selectFrom('jobs')
        .where(hasValues({ state: sql.lit(state), takes_slot: sql.lit(1), team_id: teamId })),
    )
  return (await countIn('held')) + (await countIn('queued'))
}

export async function sumReservedCredits(query: Queryable, teamId: string): Promise<number> {
  const { rows } = await queryReserved(query, { teamId })
  return rows.reduce((sum, { credits }) => sum + Number(credits), 0)
}

const queryReserved = prepared<{ teamId: string }, { credits: number }>((query, value) => {
  // One query per state: each state has a partial index, so that ended jobs are not read.
  const creditsInState = (state: 'held' | 'queued' | 'running') =>
    query
      .selectFrom('jobs')
      .select(sql<number>`coalesce(sum(credits), 0)`.as('credits'))
      .where(hasValues({ team_id: value('teamId'), state: sql.lit(state) }))
  // Waiting jobs count only if they take a slot. Running sessions take no slot, but have reserved credits.
  const creditsInQueue = (state: 'held' | 'queued') =>
    creditsInState(state).where('takes_slot', '=', sql.lit(1))
  return creditsInState('running').unionAll(creditsInQueue('queued')).unionAll(creditsInQueue('held'))
})

/** Removes some jobs; children with their parent. `from` is the end of the last removed job. Needs a transaction. */
export async function removeEndedBefore(query: Queryable, moment: number, from?: number) {
  const old = query
    .selectFrom('jobs as old')
    .leftJoin('jobs as parent', 'parent.id', 'old.parent_id')
    .select('old.id')
    .where('old.finished_at', '<', moment)
    .$if(from !== undefined, (filtered) => filtered.where('old.finished_at', '>=', from ?? 0))
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
