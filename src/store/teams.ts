import { newId } from '../base/ids.ts'
import type { Queryable, TeamRow } from './schema.ts'

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
