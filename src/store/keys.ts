import { newId } from '../platform/ids.ts'
import { countRows } from './prepared.ts'
import type { KeyRow, Queryable } from './schema.ts'

export async function addKey(
  query: Queryable,
  key: { teamId: string; hash: string; hint: string; isOperator: boolean; now: number },
): Promise<KeyRow> {
  const row = {
    id: newId(),
    team_id: key.teamId,
    hash: key.hash,
    hint: key.hint,
    is_operator: key.isOperator ? 1 : 0,
    created_at: key.now,
    last_used_at: null,
    revoked_at: null,
  }
  await query.insertInto('keys').values(row).execute()
  return row
}

export function findKeyByHash(query: Queryable, hash: string): Promise<KeyRow | undefined> {
  return query.selectFrom('keys').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export function findKey(query: Queryable, id: string): Promise<KeyRow | undefined> {
  return query.selectFrom('keys').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function hasActiveKey(query: Queryable): Promise<boolean> {
  const activeKeys = query.selectFrom('keys').select('id').where('revoked_at', 'is', null).limit(1)
  return (await activeKeys.executeTakeFirst()) !== undefined
}

export function findKeyWithTeam(query: Queryable, hash: string) {
  return query
    .selectFrom('keys')
    .innerJoin('teams', 'teams.id', 'keys.team_id')
    .selectAll('teams')
    .select(['keys.id as key_id', 'keys.is_operator', 'keys.last_used_at'])
    .where('keys.hash', '=', hash)
    .where('keys.revoked_at', 'is', null)
    .executeTakeFirst()
}

export async function findActiveKeyIds(query: Queryable, ids: string[]): Promise<string[]> {
  const rows = await query
    .selectFrom('keys')
    .select('id')
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map((row) => row.id)
}

export async function recordKeyUse(
  query: Queryable,
  { id, now, unlessAfter }: { id: string; now: number; unlessAfter: number },
): Promise<void> {
  await query
    .updateTable('keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', unlessAfter)]))
    .execute()
}

export function listKeys(
  query: Queryable,
  page: { teamId?: string | undefined; after?: string | undefined; limit: number },
) {
  let select = query
    .selectFrom('keys')
    .innerJoin('teams', 'teams.id', 'keys.team_id')
    .selectAll('keys')
    .select('teams.name as team')
    .where('teams.deleted_at', 'is', null)
    .orderBy('keys.id')
    .limit(page.limit)
  if (page.teamId !== undefined) select = select.where('keys.team_id', '=', page.teamId)
  if (page.after !== undefined) select = select.where('keys.id', '>', page.after)
  return select.execute()
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

export async function grantOperator(query: Queryable, id: string): Promise<void> {
  await query
    .updateTable('keys')
    .set({ is_operator: 1 })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}

export async function countOperatorKeys(query: Queryable): Promise<number> {
  return countRows(query.selectFrom('keys').where('is_operator', '=', 1).where('revoked_at', 'is', null))
}
