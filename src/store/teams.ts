import { sql } from 'kysely'
import { newId } from '../platform/ids.ts'
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

/** The team that AUTH=off speaks for. */
export function findFirstTeam(query: Queryable): Promise<TeamRow | undefined> {
  return query
    .selectFrom('teams')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export interface TeamChange {
  concurrency?: number | null
  zero_retention?: number
  webhook_secret?: string | null
  search_index?: number
}

export async function changeTeam(query: Queryable, id: string, change: TeamChange): Promise<void> {
  await query.updateTable('teams').set(change).where('id', '=', id).execute()
}

/** Those of the teams whose pages are not indexed. */
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

/** The team's own secret for the signatures of its webhooks. */
export async function webhookSecret(query: Queryable, teamId: string): Promise<string | null> {
  const row = await query
    .selectFrom('teams')
    .select('webhook_secret')
    .where('id', '=', teamId)
    .executeTakeFirst()
  return row?.webhook_secret ?? null
}

export interface TeamPage {
  /** The last id of the page before. */
  after?: string | undefined
  /** Only this team. */
  id?: string | undefined
  limit: number
}

/** Teams, oldest first, with how many keys they have that are not revoked. */
export function listTeams(query: Queryable, page: TeamPage) {
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
export function listActiveCalls(query: Queryable, teamId: string, kinds: readonly string[]) {
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
export async function listIdleDeletedTeams(query: Queryable, before: number): Promise<string[]> {
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
}

/** Everything that names its team. A test looks for a table that is missing here. */
const owned: Owned[] = [
  ...(['jobs', 'pages', 'files'] as const).map((table) => ({ table, by: 'id' })),
  ...(['snapshots', 'snapshot_versions'] as const).map((table) => ({ table, by: 'snapshot_key' })),
  { table: 'site_files', by: 'url' },
  { table: 'profiles', by: 'name' },
  ...(['deliveries', 'sessions', 'feedback', 'search_pending', 'learned', 'ledger', 'keys'] as const).map(
    (table) => ({ table, by: 'id' }),
  ),
  { table: 'idempotency', by: 'idempotency_key' },
  { table: 'rates', by: 'lane' },
  { table: 'cache_sizes', by: 'team_id' },
  ...(['refunds', 'model_usage', 'call_days'] as const).map((table) => ({ table, by: 'day' })),
]

/** Removes some rows of a team. Returns false if none is left but the team itself. */
export async function removeSomeOfTeam(query: Queryable, teamId: string): Promise<boolean> {
  for (const one of owned) if (await removeSome(query, teamId, one)) return true
  return false
}

/** It must have nothing left. */
export async function removeTeam(query: Queryable, id: string): Promise<void> {
  await query.deleteFrom('teams').where('id', '=', id).execute()
}

async function removeSome(query: Queryable, teamId: string, { table, by }: Owned): Promise<boolean> {
  const [from, key] = [sql.table(table), sql.ref(by)]
  const { numAffectedRows = 0n } = await sql`delete from ${from} where team_id = ${teamId} and ${key} in
    (select ${key} from ${from} where team_id = ${teamId} limit 500)`.execute(query)
  return numAffectedRows > 0n
}
