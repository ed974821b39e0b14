import { newId } from '../base/ids.ts'
import { prepared } from './prepared.ts'
import type { Queryable, Store } from './schema.ts'

export interface PendingRow {
  id: string
  team_id: string
  /** What search has to know of the page, as JSON, packed. */
  page: Uint8Array
  created_at: number
  claimed_until: number
  /** How often it was taken. */
  attempts: number
}

const insertPending = prepared<PendingRow>((query, value) =>
  query.insertInto('search_pending').values({
    ...{ id: value('id'), team_id: value('team_id') },
    ...{ page: value('page'), created_at: value('created_at'), claimed_until: value('claimed_until') },
    attempts: value('attempts'),
  }),
)

/** Notes a page to be indexed. What a crash takes with it is indexed when the page is fetched again. */
export async function addPending(
  query: Queryable,
  row: Pick<PendingRow, 'team_id' | 'page' | 'created_at'>,
): Promise<void> {
  await insertPending(query, { id: newId(), claimed_until: 0, attempts: 0, ...row })
}

/**
 * Takes the oldest pages for a while: no other process takes them in that time, and what was not removed by its end is
 * taken again.
 */
export function claimPending(
  store: Store,
  { most, now, untilMs }: { most: number; now: number; untilMs: number },
): Promise<PendingRow[]> {
  return store.transaction(
    async (transaction) => {
      const oldest = transaction
        .selectFrom('search_pending')
        .selectAll()
        .where('claimed_until', '<=', now)
        .orderBy('id')
        .limit(most)
      const rows = await store.skipLocked(oldest).execute()
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

export async function removePending(query: Queryable, ids: string[]): Promise<void> {
  if (ids.length > 0) await query.deleteFrom('search_pending').where('id', 'in', ids).execute()
}
