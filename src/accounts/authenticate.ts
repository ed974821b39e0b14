import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { NowOrLater } from '../base/now-or-later.ts'
import type { Store, TeamRow } from '../store/schema.ts'
import { findFirstTeam, findKeyWithTeam } from '../store/teams.ts'
import type { Team } from './team.ts'

/** Returns synchronously when the key is in the short-lived cache, which is the usual case. */
export type Authenticate = (authorization: string | undefined) => NowOrLater<Team>

/** How long a key is trusted without a query; a revoked key may keep working for this long. */
const believed = 1000

/** Bearer key → team. */
export function authenticator(needs: { store: Store; clock: Clock; concurrency: number }): Authenticate {
  const known = new Map<string, { team: Team; until: number }>()
  async function lookUp(key: string, now: number): Promise<Team> {
    const row = await findKeyWithTeam(needs.store.query, hashKey(key))
    if (!row) {
      known.delete(key)
      throw new AppError('UNAUTHORIZED', {}, { message: 'Unauthorized: Invalid token' })
    }
    const team = teamOf(row, row.key_id, needs.concurrency)
    if (known.size >= 10_000) known.clear()
    known.set(key, { team, until: now + believed })
    return team
  }
  return (authorization) => {
    const key = bearerOf(authorization)
    const cached = known.get(key)
    const now = needs.clock.now()
    return cached && cached.until > now ? cached.team : lookUp(key, now)
  }
}

/** With AUTH=off, every request acts as the first team. */
export function firstTeamAlways(needs: { store: Store; concurrency: number }): Authenticate {
  return async () => {
    const row = await findFirstTeam(needs.store.query)
    if (!row) throw new AppError('UNAUTHORIZED')
    return teamOf(row, null, needs.concurrency)
  }
}

/** Keys are random, so a plain hash is enough: a stolen table does not help to guess them. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

export function newKey(): string {
  return `fc-${randomBytes(16).toString('hex')}`
}

export function hintOf(key: string): string {
  return `${key.slice(0, 7)}…`
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) throw new AppError('UNAUTHORIZED')
  const key = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]
  if (!key) throw new AppError('UNAUTHORIZED', {}, { message: 'Unauthorized: Token missing' })
  return key
}

function teamOf(row: TeamRow, keyId: string | null, concurrency: number): Team {
  return {
    id: row.id,
    name: row.name,
    keyId,
    concurrency: row.concurrency ?? concurrency,
    isLimited: row.balance !== null,
    zeroRetention: row.zero_retention === 1,
  }
}
