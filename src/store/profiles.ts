import type { ExpressionBuilder } from 'kysely'
import type { ProfileRow, Queryable, Store, Tables } from './schema.ts'

export interface ProfileKey {
  teamId: string
  name: string
}

export interface ProfileLeaseRow {
  /** Of this lease alone: a holder that took the profile over has another, and only its bearer can write. */
  id: string
  /** For whom it is held, as people know them. */
  holder: string
  until: number
  now: number
}

export function findProfile(query: Queryable, key: ProfileKey): Promise<ProfileRow | undefined> {
  return query.selectFrom('profiles').selectAll().where(isOf(key)).executeTakeFirst()
}

/** Profiles of a team that hold something or are held, by name. */
export function listProfiles(
  query: Queryable,
  { teamId, now, limit }: { teamId: string; now: number; limit: number },
): Promise<Pick<ProfileRow, 'name' | 'saved_at' | 'lease_until'>[]> {
  return query
    .selectFrom('profiles')
    .select(['name', 'saved_at', 'lease_until'])
    .where('team_id', '=', teamId)
    .where(({ or, eb }) => or([eb('blob', 'is not', null), eb('lease_until', '>', now)]))
    .orderBy('name')
    .limit(limit)
    .execute()
}

/** Takes the lease where nobody has it, or the one who had it has let it run out. */
export async function takeProfileLease(
  query: Queryable,
  key: ProfileKey,
  lease: ProfileLeaseRow,
): Promise<boolean> {
  const held = { lease_id: lease.id, holder: lease.holder, lease_until: lease.until }
  const taken = await query
    .insertInto('profiles')
    .values({
      team_id: key.teamId,
      name: key.name,
      blob: null,
      spare_blob: null,
      saved_at: null,
      ...held,
    })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'name']).doUpdateSet(held).where('profiles.lease_until', '<=', lease.now),
    )
    .returning('lease_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Whether the lease is still this one; then it lasts longer. */
export async function renewProfileLease(
  query: Queryable,
  key: ProfileKey,
  lease: Pick<ProfileLeaseRow, 'id' | 'until'>,
): Promise<boolean> {
  const renewed = await query
    .updateTable('profiles')
    .set({ lease_until: lease.until })
    .where(isOf(key))
    .where('lease_id', '=', lease.id)
    .executeTakeFirst()
  return renewed.numUpdatedRows > 0n
}

/** Notes the blob that is about to be written. Answers the one that is in nobody's way any more; undefined: not ours. */
export function announceBlob(
  store: Store,
  key: ProfileKey,
  next: { leaseId: string; blob: string },
): Promise<{ unused: string | null } | undefined> {
  return whileHeld(store, key, next.leaseId, async (transaction, row) => {
    await transaction.updateTable('profiles').set({ spare_blob: next.blob }).where(isOf(key)).execute()
    return { unused: row.spare_blob }
  })
}

/** Switches to the blob that was announced and written. Answers the one before it; undefined: not ours any more. */
export function switchBlob(
  store: Store,
  key: ProfileKey,
  next: { leaseId: string; blob: string; now: number },
): Promise<{ unused: string | null } | undefined> {
  return whileHeld(store, key, next.leaseId, async (transaction, row) => {
    await transaction
      .updateTable('profiles')
      // The old one stays on record until it is surely gone: the next who saves or forgets removes it again.
      .set({ blob: next.blob, spare_blob: row.blob, saved_at: next.now })
      .where(isOf(key))
      .execute()
    return { unused: row.blob }
  })
}

/** Lets go of what was saved. Its blob stays on record until it is surely gone. Answers whether the lease is ours. */
export async function emptyProfile(store: Store, key: ProfileKey, leaseId: string): Promise<boolean> {
  const isOurs = await whileHeld(store, key, leaseId, async (transaction, row) => {
    const emptied = { blob: null, spare_blob: row.blob, saved_at: null }
    await transaction.updateTable('profiles').set(emptied).where(isOf(key)).execute()
    return true
  })
  return isOurs === true
}

/** Ends a lease. A profile that holds nothing and has nothing to remove leaves no row. */
export function endProfileLease(
  store: Store,
  key: ProfileKey,
  lease: { id: string; isGone: boolean },
): Promise<void> {
  return whileHeld(store, key, lease.id, async (transaction, row) => {
    const isEmpty = lease.isGone || (row.blob === null && row.spare_blob === null)
    if (isEmpty) await transaction.deleteFrom('profiles').where(isOf(key)).execute()
    else await transaction.updateTable('profiles').set(nobody).where(isOf(key)).execute()
  })
}

/** For a store that only one process serves, when that process starts. */
export async function dropProfileLeases(query: Queryable): Promise<void> {
  await query.updateTable('profiles').set(nobody).where('lease_until', '>', 0).execute()
}

const nobody = { lease_id: null, holder: null, lease_until: 0 }

/** Runs work in a transaction that has locked the row. Undefined if the lease is not this one any more. */
function whileHeld<Result>(
  store: Store,
  key: ProfileKey,
  leaseId: string,
  work: (transaction: Queryable, row: ProfileRow) => Promise<Result>,
): Promise<Result | undefined> {
  return store.transaction(async (transaction) => {
    const select = transaction
      .selectFrom('profiles')
      .selectAll()
      .where(isOf(key))
      .where('lease_id', '=', leaseId)
    const row = await store.lock(select).executeTakeFirst()
    return row && work(transaction, row)
  })
}

function isOf({ teamId, name }: ProfileKey) {
  return (row: ExpressionBuilder<Tables, 'profiles'>) => row.and({ team_id: teamId, name })
}
