import { sql } from 'kysely'
import type { Queryable, Tables } from './schema.ts'

/** Takes a team out of all lists; its name is free again. What it had is removed by the sweeper. */
export async function markTeamDeleted(query: Queryable, id: string, now: number): Promise<void> {
  const change = { deleted_at: now, name: `deleted ${id}`, webhook_secret: null }
  await query.updateTable('teams').set(change).where('id', '=', id).execute()
}

export async function revokeKeysOfTeam(query: Queryable, teamId: string, now: number): Promise<void> {
  await query
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('team_id', '=', teamId)
    .where('revoked_at', 'is', null)
    .execute()
}

const living = ['held', 'queued', 'running'] as const

/** Jobs of the team that somebody started and that have not ended: some of them. */
export function livingCalls(query: Queryable, teamId: string, kinds: readonly string[]) {
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('parent_id', 'is', null)
    .where('state', 'in', living)
    .where('kind', 'in', kinds)
    .orderBy('id')
    .limit(100)
    .execute()
}

/** Teams that were deleted before the moment and of which nothing runs any more. */
export async function quietDeletedTeams(query: Queryable, before: number): Promise<string[]> {
  const rows = await query
    .selectFrom('teams')
    .select('id')
    .where('deleted_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.team_id', '=', 'teams.id')
            .where('jobs.state', 'in', living),
        ),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}

interface Owned {
  table: keyof Tables
  /** Beside the team, by which rows are taken some at a time. */
  by: string
  blobs?: string[]
}

/** Everything that names its team. A test looks for a table that is missing here. */
const owned: Owned[] = [
  { table: 'jobs', by: 'id', blobs: ['result_blob'] },
  { table: 'pages', by: 'id', blobs: ['blob'] },
  { table: 'files', by: 'id', blobs: ['blob'] },
  { table: 'snapshots', by: 'snapshot_key', blobs: ['blob'] },
  { table: 'snapshot_versions', by: 'snapshot_key', blobs: ['blob'] },
  { table: 'site_files', by: 'url', blobs: ['blob'] },
  { table: 'profiles', by: 'name', blobs: ['blob', 'spare_blob'] },
  ...(['deliveries', 'sessions', 'feedback', 'search_pending', 'learned', 'ledger', 'keys'] as const).map(
    (table) => ({ table, by: 'id' }),
  ),
  { table: 'idempotency', by: 'idempotency_key' },
  { table: 'rates', by: 'lane' },
  { table: 'cache_sizes', by: 'team_id' },
  ...(['refunds', 'model_usage', 'call_days'] as const).map((table) => ({ table, by: 'day' })),
]

/** Removes some of what a team had; answers their blobs, and nothing when all is gone but the team itself. */
export async function removeSomeOfTeam(query: Queryable, teamId: string): Promise<string[] | undefined> {
  for (const one of owned) {
    const rows = await removeSome(query, teamId, one)
    if (rows.length > 0) {
      return rows.flatMap((row) => Object.values(row)).filter((blob) => typeof blob === 'string')
    }
  }
  return undefined
}

/** It must have nothing left. */
export async function removeTeam(query: Queryable, id: string): Promise<void> {
  await query.deleteFrom('teams').where('id', '=', id).execute()
}

async function removeSome(query: Queryable, teamId: string, { table, by, blobs = [] }: Owned) {
  const [from, key] = [sql.table(table), sql.ref(by)]
  const returned = blobs.length > 0 ? sql.join(blobs.map((blob) => sql.ref(blob))) : sql`1 as removed`
  const result = await sql<
    Record<string, unknown>
  >`delete from ${from} where team_id = ${teamId} and ${key} in
    (select ${key} from ${from} where team_id = ${teamId} limit 500) returning ${returned}`.execute(query)
  return result.rows
}
