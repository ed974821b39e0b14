import type { Queryable, Store } from './schema.ts'

export interface LearnedKey {
  id: string
  teamId: string
  host: string
}

/** A team keeps at most this many, those that it used last. */
export const mostLearnedPerTeam = 1000
const removedAtOnce = 100

/** Uses are noted at most once in this time. */
const day = 24 * 3600_000

/** What is read stays. */
export async function findLearned(
  query: Queryable,
  { id }: LearnedKey,
  now: number,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('learned')
    .select(['memory', 'used_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row && row.used_at < now - day)
    await query.updateTable('learned').set({ used_at: now }).where('id', '=', id).execute()
  return row?.memory
}

/** Of several changes at once, in whichever processes, each sees what the one before it has written. */
export function changeLearned(
  store: Store,
  { id, teamId, host }: LearnedKey,
  { now, change }: { now: number; change: (memory: string | undefined) => string },
): Promise<void> {
  return store.transaction(
    async (transaction) => {
      // A row that is not there yet cannot be locked: inserting first makes the second of two wait for the first.
      const inserted = await transaction
        .insertInto('learned')
        .values({ id, team_id: teamId, host, memory: '', used_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      const isNew = (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
      const row = transaction.selectFrom('learned').select('memory').where('id', '=', id)
      const { memory } = await store.lock(row).executeTakeFirstOrThrow()
      const changed = change(memory === '' ? undefined : memory)
      await transaction
        .updateTable('learned')
        .set({ memory: changed, used_at: now })
        .where('id', '=', id)
        .execute()
      if (isNew) await removeOldest(transaction, teamId)
    },
    { durable: false },
  )
}

async function removeOldest(query: Queryable, teamId: string): Promise<void> {
  const oldest = query
    .selectFrom('learned')
    .select('id')
    .where('team_id', '=', teamId)
    .orderBy('used_at', 'desc')
    .limit(removedAtOnce)
    .offset(mostLearnedPerTeam)
  await query.deleteFrom('learned').where('id', 'in', oldest).execute()
}

export async function forgetLearned(query: Queryable, before: number): Promise<void> {
  await query.deleteFrom('learned').where('used_at', '<', before).execute()
}
