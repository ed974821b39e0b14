import { createHmac, randomBytes } from 'node:crypto'
import { insertIfNew } from './prepared.ts'
import type { Queryable } from './schema.ts'
import { findFirstTeam, webhookSecret } from './teams.ts'

export function getInstallationSecret(query: Queryable, name: string): Promise<string> {
  return getInstallationValue(query, name, randomBytes(32).toString('base64url'))
}

/** Returns the stored value of this name. The first call stores `initial`, which then never changes. */
export async function getInstallationValue(query: Queryable, name: string, initial: string): Promise<string> {
  const stored = query.selectFrom('secrets').select('value').where('name', '=', name)
  // Read first: every webhook signature needs a value, and a write would wait for other writers or for a full disk.
  const row = await stored.executeTakeFirst()
  if (row) return row.value
  await insertIfNew(query, 'secrets', { name, value: initial })
  return (await stored.executeTakeFirstOrThrow()).value
}

/** Only the first team uses WEBHOOK_SECRET itself, so that no receiver accepts events of another team. */
export async function getSigningSecret(
  query: Queryable,
  teamId: string,
  fallback: string | undefined,
): Promise<{ secret: string; source: 'own' | 'shared' | 'derived' } | undefined> {
  const teamSecret = await webhookSecret(query, teamId)
  if (teamSecret !== null) return { secret: teamSecret, source: 'own' }
  if (fallback === undefined) return undefined
  const first = await findFirstTeam(query)
  // Stored, so that no other team becomes the first one when that team is deleted.
  const firstId = first && (await getInstallationValue(query, 'first team', first.id))
  if (firstId === teamId) return { secret: fallback, source: 'shared' }
  const secret = createHmac('sha256', fallback).update(teamId).digest('hex')
  return { secret, source: 'derived' }
}
