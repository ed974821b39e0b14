import { LRUCache } from 'lru-cache'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { MaybePromise } from '../platform/functions.ts'
import { findKeyWithTeam, recordKeyUse } from '../store/keys.ts'
import type { Store, TeamRow } from '../store/schema.ts'
import { findFirstTeam } from '../store/teams.ts'
import { hashKey } from './keys.ts'
import type { Team } from './team.ts'

/** Returns synchronously when the key is in the short-lived cache, which is the usual case. */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Team>

/** How long a key is trusted without a query; a revoked key may keep working for this long. */
const believed = 1000

const whereKeysComeFrom =
  'The first start writes a key to the file api-key in DATA_DIR, unless API_KEY names it. An operator makes others with "npm run key -- create --team NAME" on the machine of the service, with "winnow keys create --team NAME", or in the console. A revoked key does not work again.'

/** How often the use of a key is noted: every call would be a write each. */
const notedEvery = 10 * 60_000

/** Bearer key → team. */
export function createAuthenticator(deps: { store: Store; clock: Clock; concurrency: number }): Authenticate {
  const known = new LRUCache<string, Team>({
    max: 10_000,
    ttl: believed,
    ttlResolution: 0,
    perf: deps.clock,
  })
  // Calls that arrive together with a key that is not in the cache share one query.
  const pending = new Map<string, Promise<Team>>()
  async function lookUp(key: string, now: number): Promise<Team> {
    const row = await findKeyWithTeam(deps.store.query, hashKey(key))
    if (!row) {
      known.delete(key)
      throw refusal('Unauthorized: Invalid token')
    }
    const team = teamOf(row, { id: row.key_id, isOperator: row.is_operator === 1 }, deps.concurrency)
    await noteUse(row, now)
    known.set(key, team, { start: now })
    return team
  }
  async function noteUse(row: { key_id: string; last_used_at: number | null }, now: number): Promise<void> {
    const unlessAfter = now - notedEvery
    if (row.last_used_at !== null && row.last_used_at > unlessAfter) return
    // A store that cannot be written still knows its keys.
    await recordKeyUse(deps.store.query, { id: row.key_id, now, unlessAfter }).catch(() => undefined)
  }
  return (authorization) => {
    const key = bearerOf(authorization)
    const cached = known.get(key)
    if (cached) return cached
    const found = pending.get(key) ?? lookUp(key, deps.clock.now()).finally(() => pending.delete(key))
    pending.set(key, found)
    return found
  }
}

/** With AUTH=off, every request acts as the first team. Whether it may do what operators do is decided where it is known from where it came. */
export function authenticateAsFirstTeam(deps: { store: Store; concurrency: number }): Authenticate {
  return async () => {
    const row = await findFirstTeam(deps.store.query)
    if (!row) throw new AppError('UNAUTHORIZED')
    return teamOf(row, { id: null, isOperator: true }, deps.concurrency)
  }
}

function bearerOf(authorization: string | undefined): string {
  if (authorization === undefined) throw refusal()
  const key = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1]
  if (!key) throw refusal('Unauthorized: Token missing')
  return key
}

/** The same for a key that never was and for one that was revoked: nobody learns by trying which of them it is. */
function refusal(message?: string): AppError {
  return new AppError('UNAUTHORIZED', { hint: whereKeysComeFrom }, message === undefined ? {} : { message })
}

/** A team as its key shows it. */
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
