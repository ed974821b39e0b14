import { createHmac } from 'node:crypto'
import type { Queryable } from './schema.ts'
import { installationValue } from './secrets.ts'
import { findFirstTeam, webhookSecret } from './teams.ts'

export interface SigningSecret {
  secret: string
  /** `own`: set for the team; `shared`: WEBHOOK_SECRET itself; `derived`: made from WEBHOOK_SECRET for this team. */
  source: 'own' | 'shared' | 'derived'
}

/**
 * Returns the secret that signs the webhooks of a team: its own one, or one that is derived from WEBHOOK_SECRET. Only the first
 * team uses WEBHOOK_SECRET itself. A receiver of one team would otherwise accept events of every other team.
 */
export async function signingSecret(
  query: Queryable,
  teamId: string,
  fallback: string | undefined,
): Promise<SigningSecret | undefined> {
  const own = await webhookSecret(query, teamId)
  if (own !== null) return { secret: own, source: 'own' }
  if (fallback === undefined) return undefined
  if ((await firstTeamId(query)) === teamId) return { secret: fallback, source: 'shared' }
  return { secret: derivedSecret(fallback, teamId), source: 'derived' }
}

/** The id is stored, because no other team becomes the first one when it is deleted. */
async function firstTeamId(query: Queryable): Promise<string | undefined> {
  const first = await findFirstTeam(query)
  return first && installationValue(query, 'first team', first.id)
}

/** HMAC-SHA256 of the team id with WEBHOOK_SECRET as its key, in hexadecimal digits. */
function derivedSecret(fallback: string, teamId: string): string {
  return createHmac('sha256', fallback).update(teamId).digest('hex')
}
