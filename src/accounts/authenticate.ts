import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { MaybePromise } from '../platform/functions.ts'
import { findKeyWithTeam, recordKeyUse } from '../store/keys.ts'
import type { Store, TeamRow } from '../store/schema.ts'
import { findFirstTeam } from '../store/teams.ts'
import { hashKey } from './keys.ts'
import type { Team } from './team.ts'

export type Authenticate = (authorization: string | undefined) => MaybePromise<Team>

/** Cache time of a key in milliseconds. A revoked key may continue to work for this time. */
const cacheTtlMs = 1000

const keyHint =
  'The first start writes a key to the file api-key in DATA_DIR, unless API_KEY names it. An operator makes others with "npm run key -- create --team NAME" on the machine of the service, with "winnow keys create --team NAME", or in the console. A revoked key does not work again.'

/** Minimum interval between two records of the use of a key, so that not every call causes a write. */
const useIntervalMs = 10 * 60_000

export function createAuthenticator(deps: { store: Store; clock: Clock; concurrency: number }): Authenticate {
  const teams = new LRUCache<string, Team>({
    max: 10_000,
    ttl: cacheTtlMs,
    ttlResolution: 0,
    perf: deps.clock,
  })
  // Concurrent calls with the same uncached key share one query.
  const pending = new Map<string, Promise<Team>>()
  async function lookUp(key: string, now: number): Promise<Team> {
    const row = await findKeyWithTeam(deps.store.query, hashKey(key))
    if (!row) {
      teams.delete(key)
      throw unauthorized('Unauthorized: Invalid token')
    }
    const team = teamOf(row, { id: row.key_id, isOperator: row.is_operator === 1 }, deps.concurrency)
    const use = { id: row.key_id, now, unlessAfter: now - useIntervalMs }
    // Authentication succeeds even if the store cannot be written.
    if (row.last_used_at === null || row.last_used_at <= use.unlessAfter)
      await recordKeyUse(deps.store.query, use).catch(() => undefined)
    teams.set(key, team, { start: now })
    return team
  }
  return (authorization) => {
    const key = bearerOf(authorization)
    const cached = teams.get(key)
    if (cached) return cached
    const lookup = pending.get(key) ?? lookUp(key, deps.clock.now()).finally(() => pending.delete(key))
    pending.set(key, lookup)
    return lookup
  }
}

/** With AUTH=off every request acts as the first team, with operator rights depending on its origin. */
export function authenticateAsFirstTeam(deps: { store: Store; concurrency: number }): Authenticate {
  return async () => {
    const row = await findFirstTeam(deps.store.query)
    if (!row) throw new AppError('UNAUTHORIZED')
    return teamOf(row, { id: null, isOperator: true }, deps.concurrency)
  }
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) throw unauthorized()
  const key = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]
  if (!key) throw unauthorized('Unauthorized: Token missing')
  return key
}

/** Returns the same error for an unknown and a revoked key, so that a client cannot distinguish them. */
function unauthorized(message?: string): AppError {
  return new AppError('UNAUTHORIZED', { hint: keyHint }, message === undefined ? {} : { message })
}

export function teamOf(
  row: TeamRow,
  key: { id: string | null; isOperator: boolean },
  concurrency: number,
): Team {
  return {
    id: row.id,
    name: row.name,
    keyId: key.id,
    isOperator: key.isOperator,
    concurrency: row.concurrency ?? concurrency,
    zeroRetention: row.zero_retention === 1,
  }
}
