import { sql } from 'kysely'
import { newId } from '../platform/ids.ts'
import { type ActiveState, activeStates } from './jobs/queue-counts.ts'
import type { Queryable, Tables, TeamRow } from './schema.ts'

export async function createTeam(
  query: Queryable,
  team: { name: string; balance: number | null; now: number },
): Promise<TeamRow> {
  const row = {
    id: newId(),
    name: team.name,
    balance: team.balance,
    concurrency: null,
    zero_retention: 0,
    webhook_secret: null,
    search_index: 1,
    created_at: team.now,
    deleted_at: null,
  }
  await query.insertInto('teams').values(row).execute()
  return row
}

export function findTeam(query: Queryable, id: string): Promise<TeamRow | undefined> {
  return query
    .selectFrom('teams')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export function findTeamByName(query: Queryable, name: string): Promise<TeamRow | undefined> {
  return query.selectFrom('teams').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Returns the team that owns all requests with AUTH=off. */
export function findFirstTeam(query: Queryable): Promise<TeamRow | undefined> {
  return query
    .selectFrom('teams')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export type TeamChange = Partial<
  Pick<TeamRow, 'concurrency' | 'zero_retention' | 'webhook_secret' | 'search_index'>
>

export async function changeTeam(query: Queryable, id: string, change: TeamChange): Promise<void> {
  await query.updateTable('teams').set(change).where('id', '=', id).execute()
}

export async function findUnindexedTeams(query: Queryable, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await query
    .selectFrom('teams')
    .select('id')
    .where('id', 'in', [...new Set(ids)])
    .where('search_index', '=', 0)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function webhookSecret(query: Queryable, teamId: string): Promise<string | null> {
  const row = await query
    .selectFrom('teams')
    .select('webhook_secret')
    .where('id', '=', teamId)
    .executeTakeFirst()
  return row?.webhook_secret ?? null
}

export function listTeams(
  query: Queryable,
  page: { after?: string | undefined; id?: string | undefined; limit: number },
) {
  let select = query
    .selectFrom('teams')
    .selectAll('teams')
    .select(
      sql<number>`(select count(*) from keys where team_id = teams.id and revoked_at is null)`.as('keys'),
    )
    .where('teams.deleted_at', 'is', null)
    .orderBy('teams.id')
    .limit(page.limit)
  if (page.id !== undefined) select = select.where('teams.id', '=', page.id)
  if (page.after !== undefined) select = select.where('teams.id', '>', page.after)
  return select.execute()
}

/** Removes a team from all lists and frees its name. The sweeper removes its data. */
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

export function listActiveCalls(query: Queryable, teamId: string, kinds: readonly string[]) {
  const inState = (state: ActiveState) =>
    query
      .selectFrom('jobs')
      .select('id')
      .where(isInState(state))
      .where('team_id', '=', teamId)
      .where('parent_id', 'is', null)
      .where('kind', 'in', kinds)
  return query
    .selectFrom('jobs')
    .selectAll()
    .where('id', 'in', inState('held').unionAll(inState('queued')).unionAll(inState('running')))
    .orderBy('id')
    .limit(100)
    .execute()
}

/** The indexes of one state need its literal, and begin with `takes_slot`. */
const isInState = (state: ActiveState) =>
  sql<boolean>`jobs.state = ${sql.lit(state)} and jobs.takes_slot in (0, 1)`

export async function listIdleDeletedTeams(query: Queryable, before: number): Promise<string[]> {
  const hasNone = (state: ActiveState) =>
    sql<boolean>`not exists (select 1 from jobs where ${isInState(state)} and jobs.team_id = teams.id)`
  let teams = query.selectFrom('teams').select('id').where('deleted_at', '<', before)
  for (const state of activeStates) teams = teams.where(hasNone(state))
  return (await teams.execute()).map(({ id }) => id)
}

interface OwnedTable {
  table: keyof Tables
  batchColumn: string
}

/** All tables with a team column. A test checks that none is missing. */
const ownedTables: OwnedTable[] = [
  ...(['jobs', 'pages', 'files'] as const).map((table) => ({ table, batchColumn: 'id' })),
  ...(['snapshots', 'snapshot_versions'] as const).map((table) => ({ table, batchColumn: 'snapshot_key' })),
  { table: 'site_files', batchColumn: 'url' },
  { table: 'profiles', batchColumn: 'name' },
  ...(['deliveries', 'sessions', 'feedback', 'search_pending', 'learned', 'ledger', 'keys'] as const).map(
    (table) => ({ table, batchColumn: 'id' }),
  ),
  { table: 'idempotency', batchColumn: 'idempotency_key' },
  { table: 'rates', batchColumn: 'lane' },
  { table: 'cache_sizes', batchColumn: 'team_id' },
  ...(['refunds', 'model_usage', 'call_days'] as const).map((table) => ({ table, batchColumn: 'day' })),
]

/** Returns false if only the team itself is left. */
export async function removeTeamRowBatch(query: Queryable, teamId: string): Promise<boolean> {
  for (const ownedTable of ownedTables) if (await deleteBatch(query, teamId, ownedTable)) return true
  return false
}

export async function removeTeam(query: Queryable, id: string): Promise<void> {
  await query.deleteFrom('teams').where('id', '=', id).execute()
}

async function deleteBatch(query: Queryable, teamId: string, { table, batchColumn }: OwnedTable) {
  const [from, key] = [sql.table(table), sql.ref(batchColumn)]
  const { numAffectedRows = 0n } = await sql`delete from ${from} where team_id = ${teamId} and ${key} in
    (select ${key} from ${from} where team_id = ${teamId} limit 500)`.execute(query)
  return numAffectedRows > 0n
}
