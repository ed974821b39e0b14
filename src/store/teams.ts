import { newId } from '../base/ids.ts'
import type { KeyRow, Queryable, TeamRow } from './schema.ts'

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
    created_at: team.now,
  }
  await query.insertInto('teams').values(row).execute()
  return row
}

export function findTeamByName(query: Queryable, name: string): Promise<TeamRow | undefined> {
  return query.selectFrom('teams').selectAll().where('name', '=', name).executeTakeFirst()
}

/** The team that AUTH=off speaks for. */
export function findFirstTeam(query: Queryable): Promise<TeamRow | undefined> {
  return query.selectFrom('teams').selectAll().orderBy('id').limit(1).executeTakeFirst()
}

export async function changeTeam(
  query: Queryable,
  id: string,
  change: { concurrency?: number | null; zero_retention?: number; webhook_secret?: string | null },
): Promise<void> {
  await query.updateTable('teams').set(change).where('id', '=', id).execute()
}

/** What deliveries to the team's receivers are signed with. */
export async function webhookSecret(query: Queryable, teamId: string): Promise<string | null> {
  const row = await query
    .selectFrom('teams')
    .select('webhook_secret')
    .where('id', '=', teamId)
    .executeTakeFirst()
  return row?.webhook_secret ?? null
}

export async function addKey(
  query: Queryable,
  key: { teamId: string; hash: string; hint: string; now: number },
): Promise<KeyRow> {
  const row = {
    id: newId(),
    team_id: key.teamId,
    hash: key.hash,
    hint: key.hint,
    created_at: key.now,
    revoked_at: null,
  }
  await query.insertInto('keys').values(row).execute()
  return row
}

export function findKeyByHash(query: Queryable, hash: string): Promise<KeyRow | undefined> {
  return query.selectFrom('keys').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export async function hasLivingKey(query: Queryable): Promise<boolean> {
  const living = query.selectFrom('keys').select('id').where('revoked_at', 'is', null).limit(1)
  return (await living.executeTakeFirst()) !== undefined
}

/** A key that is not revoked, with its team. */
export function findKeyWithTeam(query: Queryable, hash: string) {
  return query
    .selectFrom('keys')
    .innerJoin('teams', 'teams.id', 'keys.team_id')
    .selectAll('teams')
    .select('keys.id as key_id')
    .where('keys.hash', '=', hash)
    .where('keys.revoked_at', 'is', null)
    .executeTakeFirst()
}

export function listKeys(query: Queryable) {
  return query
    .selectFrom('keys')
    .innerJoin('teams', 'teams.id', 'keys.team_id')
    .select(['keys.id', 'keys.hint', 'keys.created_at', 'keys.revoked_at', 'teams.name as team'])
    .orderBy('keys.id')
    .execute()
}

export async function revokeKey(query: Queryable, id: string, now: number): Promise<boolean> {
  const result = await query
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
