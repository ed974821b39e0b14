import { newId } from '../base/ids.ts'
import { prepared } from './prepared.ts'
import type { PendingRow, Queryable, Store } from './schema.ts'

export type { PendingRow } from './schema.ts'

const insertPending = prepared<PendingRow>((query, value) =>
  query.insertInto('search_pending').values({
    ...{ id: value('id'), team_id: value('team_id'), url: value('url'), type: value('type') },
    ...{ fields: value('fields'), fetched_at: value('fetched_at'), expires_at: value('expires_at') },
    ...{ created_at: value('created_at'), claimed_until: value('claimed_until') },
    attempts: value('attempts'),
  }),
)

/** Notes a page to be indexed. What a crash takes with it is indexed when the page is fetched again. */
export async function addPending(
  query: Queryable,
  row: Omit<PendingRow, 'id' | 'claimed_until' | 'attempts'>,
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
