import { newId } from '../base/ids.ts'
import { inRows } from './in-rows.ts'
import type { PendingRow, Queryable, Store } from './schema.ts'

export type { PendingRow } from './schema.ts'

export type NewPending = Omit<PendingRow, 'id' | 'claimed_until' | 'attempts'>

const insertRows = inRows<PendingRow>(
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
