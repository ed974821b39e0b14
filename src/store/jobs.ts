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
    'queued_at',
  ] as const),
  ...([
    'started_at',
    'finished_at',
    'ended_number',
    'children_ended',
    'credits',
    'result',
    'result_blob',
    'error',
  ] as const),
]

const insertOne = prepared<JobRow>((query, value) => {
  // The list names every column, so the row is whole.
  const row = Object.fromEntries(columns.map((name) => [name, value(name)])) as unknown as JobRow
  return query.insertInto('jobs').values(row)
})

export function findJob(query: Queryable, id: string): Promise<JobRow | undefined> {
  return query.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function findJobs(query: Queryable, ids: string[]): Promise<JobRow[]> {
  const rows = await query.selectFrom('jobs').selectAll().where('id', 'in', ids).execute()
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
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
  /** Of a child: see `ended_number`. */
  number?: number
  /** What is kept of the input from now on, as JSON. */
  input: string
  /** Forget what the job was about: nothing may be kept of it. */
  forget: boolean
  /** Where the job is a session: how that ended. */
  session?: SessionEnd
}

export interface SessionEnd {
  status: 'destroyed' | 'error'
  reason: string
  lastActivity: number
  givesScrapeFree: boolean
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
    number: ending.number ?? null,
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
      finished_at: value('now'),
      ended_number: value('number'),
      leased_by: null,
      lease_until: null,
      input: value('input'),
      target: sql`case when cast(${value('forget')} as integer) = 1 then null else target end`,
    })
    .where('id', '=', value('id'))
    .where('state', 'in', ['held', 'queued', 'running'])
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
    .where('state', 'in', ['held', 'queued'])
    .where('team_id', '=', teamId)
    .where('takes_slot', '=', 1)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Credits that the living jobs of a team have set aside. */
export async function creditsSetAside(query: Queryable, teamId: string): Promise<number> {
  let credits = 0
  // One state at a time: each has an index that holds its rows alone, so what has ended costs nothing here.
  for (const state of ['held', 'queued', 'running'] as const) {
    const living = query
      .selectFrom('jobs')
      .select(sql<number>`coalesce(sum(credits), 0)`.as('credits'))
      .where('team_id', '=', teamId)
      .where('state', '=', sql.lit(state))
    // What waits takes a slot. Of what runs, sessions take none and have credits set aside all the same.
    const { credits: part } = await (state === 'running'
      ? living
      : living.where('takes_slot', '=', 1)
    ).executeTakeFirstOrThrow()
    credits += Number(part)
  }
  return credits
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
