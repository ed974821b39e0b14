import { newId } from '../platform/ids.ts'
import { createChunkedInsert } from './prepared.ts'
import type { PendingRow, Queryable, Store } from './schema.ts'

export type { PendingRow } from './schema.ts'

export type NewPending = Omit<PendingRow, 'id' | 'claimed_until' | 'attempts'>

const insertRows = createChunkedInsert<PendingRow>(
  [
    ...(['id', 'team_id', 'url', 'type', 'fields', 'fetched_at', 'expires_at'] as const),
    ...(['created_at', 'claimed_until', 'attempts'] as const),
  ],
  (query, rows) => query.insertInto('search_pending').values(rows),
)

export async function addPending(query: Queryable, rows: NewPending[]): Promise<void> {
  const pending = rows.map((row) => ({ id: newId(), claimed_until: 0, attempts: 0, ...row }))
  await insertRows(query, pending)
}

const removalType = 'removal'

/** Queued among the pages, so that a crash does not lose it. An older version treats it as a removed page. */
export function addTeamRemoval(query: Queryable, teamId: string, now: number): Promise<void> {
  const page = { url: '', type: removalType, fields: new Uint8Array() }
  const times = { fetched_at: now, expires_at: now, created_at: now }
  return addPending(query, [{ team_id: teamId, ...page, ...times }])
}

export function isTeamRemoval({ type, url }: Pick<PendingRow, 'type' | 'url'>): boolean {
  return type === removalType && url === ''
}

const maxTeams = 8

/** No other process claims the pages for a time. Teams share `limit` equally; their oldest pages come first. */
export function claimPending(
  store: Store,
  claim: { limit: number; now: number; durationMs: number; afterTeam: string },
): Promise<PendingRow[]> {
  const { limit, now, durationMs, afterTeam } = claim
  return store.transaction(
    async (transaction) => {
      const teams = await findNextTeams(transaction, afterTeam, now)
      const rows: PendingRow[] = []
      for (const team of teams) {
        const oldest = transaction
          .selectFrom('search_pending')
          .selectAll()
          .where('team_id', '=', team)
          .where('claimed_until', '<=', now)
          .orderBy('claimed_until')
          .orderBy('id')
          .limit(Math.ceil(limit / teams.length))
        rows.push(...(await store.skipLocked(oldest).execute()))
      }
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0)
        await transaction
          .updateTable('search_pending')
          .set((row) => ({ claimed_until: now + durationMs, attempts: row('attempts', '+', 1) }))
          .where('id', 'in', ids)
          .execute()
      return rows
    },
    { durable: false },
  )
}

async function findNextTeams(query: Queryable, after: string, now: number): Promise<string[]> {
  const teams: string[] = []
  // Each step is one index lookup; listing all teams would read every pending page.
  for (let last = after, isWrapped = false; teams.length < maxTeams; ) {
    const next = await query
      .selectFrom('search_pending')
      .select('team_id')
      .where('team_id', '>', last)
      .where('claimed_until', '<=', now)
      .orderBy('team_id')
      .limit(1)
      .executeTakeFirst()
    if (next && teams.includes(next.team_id)) break
    if (next) {
      teams.push(next.team_id)
      last = next.team_id
    } else if (isWrapped) break
    else {
      last = ''
      isWrapped = true
    }
  }
  return teams
}

export async function removePending(query: Queryable, ids: string[]): Promise<void> {
  if (ids.length > 0) await query.deleteFrom('search_pending').where('id', 'in', ids).execute()
}
