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

/** Notes pages to be indexed. What a crash takes with it is indexed when the page is fetched again. */
export async function addPending(query: Queryable, rows: NewPending[]): Promise<void> {
  await insertRows(
    query,
    rows.map((row) => ({ id: newId(), claimed_until: 0, attempts: 0, ...row })),
  )
}

const removalType = 'removal'

/**
 * Requests that everything a team can find is removed. It waits among the pages, so that a crash does not lose it and the process
 * that indexes does it. A process of an older version takes it for a page that no longer exists.
 */
export function addTeamRemoval(query: Queryable, teamId: string, now: number): Promise<void> {
  const page = { url: '', type: removalType, fields: new Uint8Array() }
  const times = { fetched_at: now, expires_at: now, created_at: now }
  return addPending(query, [{ team_id: teamId, ...page, ...times }])
}

export function isTeamRemoval({ type, url }: Pick<PendingRow, 'type' | 'url'>): boolean {
  return type === removalType && url === ''
}

export interface ClaimOptions {
  /** Pages to take at most. */
  most: number
  now: number
  untilMs: number
  /** The team that was last in the claim before: the turn goes on with the one after it. */
  afterTeam: string
}

/** Teams whose pages are taken together; the others come with the next claims. */
const maxTeams = 8

/**
 * Takes pages for a while: no other process takes them in that time, and pages that were not removed by its end are taken
 * again. Teams take turns and share the number equally, each with its oldest pages first.
 */
export function claimPending(
  store: Store,
  { most, now, untilMs, afterTeam }: ClaimOptions,
): Promise<PendingRow[]> {
  return store.transaction(
    async (transaction) => {
      const teams = await teamsInTurn(transaction, afterTeam, now)
      const rows: PendingRow[] = []
      for (const team of teams) {
        const oldest = transaction
          .selectFrom('search_pending')
          .selectAll()
          .where('team_id', '=', team)
          .where('claimed_until', '<=', now)
          .orderBy('claimed_until')
          .orderBy('id')
          .limit(Math.ceil(most / teams.length))
        rows.push(...(await store.skipLocked(oldest).execute()))
      }
      if (rows.length > 0)
        await transaction
          .updateTable('search_pending')
          .set((row) => ({ claimed_until: now + untilMs, attempts: row('attempts', '+', 1) }))
          .where(
            'id',
            'in',
            rows.map(({ id }) => id),
          )
          .execute()
      return rows
    },
    { durable: false },
  )
}

/** The next teams with pages that wait, in the order of their ids, from the start again after the last. */
async function teamsInTurn(query: Queryable, after: string, now: number): Promise<string[]> {
  const teams: string[] = []
  // Each step is one look into an index; listing all teams would read every page that waits.
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
