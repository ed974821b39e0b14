import { type SelectQueryBuilder, sql } from 'kysely'
import { readInSteps, rowsPerStep } from '../read-in-steps.ts'
import type { JobRow, JobState, Queryable, Tables } from '../schema.ts'

type CallPosition = Pick<JobRow, 'created_at' | 'id'>

interface CallPage {
  teamId: string
  since?: number
  before?: CallPosition | undefined
  limit: number
}

type CallSelect<Row> = SelectQueryBuilder<Tables, 'jobs', Row>

/** Returns the selected calls of a team, newest first. Children of other jobs are not calls. */
export function readCalls<Row>(
  query: Queryable,
  { teamId, since = 0, before, limit }: CallPage,
  select: (calls: CallSelect<object>) => CallSelect<Row>,
): Promise<Row[]> {
  const calls = (after: CallPosition | undefined, first: CallPosition) => {
    const rows = query
      .selectFrom('jobs')
      .where('team_id', '=', teamId)
      .where('parent_id', 'is', null)
      .where(sql<boolean>`(created_at, id) >= (${first.created_at}, ${first.id})`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
    return after ? rows.where(sql<boolean>`(created_at, id) < (${after.created_at}, ${after.id})`) : rows
  }
  const oldest = { created_at: since, id: '' }
  return readInSteps(
    { after: before, limit },
    (after) =>
      calls(after, oldest)
        .select(['created_at', 'id'])
        .offset(rowsPerStep - 1)
        .limit(1)
        .executeTakeFirst(),
    ({ after, to = oldest }, count) => select(calls(after, to)).limit(count).execute(),
  )
}

export function listActivity(
  query: Queryable,
  {
    kind,
    states,
    ...page
  }: CallPage & { kind?: string | undefined; states?: readonly JobState[] | undefined },
) {
  return readCalls(query, page, (calls) => {
    let select = calls.select(['id', 'kind', 'state', 'created_at', 'target', 'error'])
    if (kind !== undefined) select = select.where('kind', '=', kind)
    if (states !== undefined) select = select.where('state', 'in', states)
    return select
  })
}

/** Maximum jobs to search, and maximum calls. A team may have any number of jobs that did not complete. */
const maxSearched = 1000

export async function findLastSuccess(query: Queryable, teamId: string): Promise<number | null> {
  const jobs = query
    .selectFrom('jobs')
    .select(['id', 'state', 'created_at'])
    .where('team_id', '=', teamId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSearched)
  for (const newest of [jobs, jobs.where('parent_id', 'is', null)]) {
    const completed = query
      .selectFrom(newest.as('newest'))
      .select('newest.id')
      .where('newest.state', '=', 'completed')
      .orderBy('newest.created_at', 'desc')
      .orderBy('newest.id', 'desc')
      .limit(1)
    const row = await query
      .selectFrom('jobs')
      .select('finished_at')
      .where('id', '=', completed)
      .executeTakeFirst()
    if (row) return row.finished_at
  }
  return null
}
