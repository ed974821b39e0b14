import type { ExpressionBuilder } from 'kysely'
import type { ProfileRow, Queryable, Store, Tables } from './schema.ts'

export interface ProfileKey {
  teamId: string
  name: string
}

export interface ProfileLeaseRow {
  /** Only the current id can write. A holder that takes over the profile has another one. */
  id: string
  holder: string
  until: number
  now: number
}

export function findProfile(query: Queryable, key: ProfileKey): Promise<ProfileRow | undefined> {
  return query.selectFrom('profiles').selectAll().where(matchesKey(key)).executeTakeFirst()
}

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

/** Returns false if another holder has the lease and it has not expired. */
export async function takeProfileLease(
  query: Queryable,
  key: ProfileKey,
  lease: ProfileLeaseRow,
): Promise<boolean> {
  const leaseColumns = { lease_id: lease.id, holder: lease.holder, lease_until: lease.until }
  const taken = await query
    .insertInto('profiles')
    .values({
      team_id: key.teamId,
      name: key.name,
      blob: null,
      spare_blob: null,
      saved_at: null,
      ...leaseColumns,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'name'])
        .doUpdateSet(leaseColumns)
        .where('profiles.lease_until', '<=', lease.now),
    )
    .returning('lease_id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function renewProfileLease(
  query: Queryable,
  key: ProfileKey,
  lease: Pick<ProfileLeaseRow, 'id' | 'until'>,
): Promise<boolean> {
  const renewed = await query
    .updateTable('profiles')
    .set({ lease_until: lease.until })
    .where(matchesKey(key))
    .where('lease_id', '=', lease.id)
    .executeTakeFirst()
  return renewed.numUpdatedRows > 0n
}

/** Returns the blob that can be deleted, or undefined if the lease was lost. */
export function recordNextBlob(
  store: Store,
  key: ProfileKey,
  next: { leaseId: string; blob: string },
): Promise<{ unused: string | null } | undefined> {
  return withLease(store, key, next.leaseId, async (transaction, row) => {
    await transaction.updateTable('profiles').set({ spare_blob: next.blob }).where(matchesKey(key)).execute()
    return { unused: row.spare_blob }
  })
}

/** Returns the previous blob, or undefined if the lease was lost. */
export function activateBlob(
  store: Store,
  key: ProfileKey,
  next: { leaseId: string; blob: string; now: number },
): Promise<{ unused: string | null } | undefined> {
  return withLease(store, key, next.leaseId, async (transaction, row) => {
    await transaction
      .updateTable('profiles')
      // The old blob stays recorded until it is certainly deleted: the next save or removal deletes it again.
      .set({ blob: next.blob, spare_blob: row.blob, saved_at: next.now })
      .where(matchesKey(key))
      .execute()
    return { unused: row.blob }
  })
}

/** The blob stays recorded until it is certainly deleted. Returns false if the lease was lost. */
export async function emptyProfile(store: Store, key: ProfileKey, leaseId: string): Promise<boolean> {
  const hasLease = await withLease(store, key, leaseId, async (transaction, row) => {
    const emptied = { blob: null, spare_blob: row.blob, saved_at: null }
    await transaction.updateTable('profiles').set(emptied).where(matchesKey(key)).execute()
    return true
  })
  return hasLease === true
}

/** Ends a lease. A profile without contents and without a blob to delete leaves no row. */
export function endProfileLease(
  store: Store,
  key: ProfileKey,
  lease: { id: string; isGone: boolean },
): Promise<void> {
  return withLease(store, key, lease.id, async (transaction, row) => {
    const isEmpty = lease.isGone || (row.blob === null && row.spare_blob === null)
    if (isEmpty) await transaction.deleteFrom('profiles').where(matchesKey(key)).execute()
    else await transaction.updateTable('profiles').set(noLease).where(matchesKey(key)).execute()
  })
}

/** Ends all leases, on startup of a process that is the only one to serve the store. */
export async function dropProfileLeases(query: Queryable): Promise<void> {
  await query.updateTable('profiles').set(noLease).where('lease_until', '>', 0).execute()
}

const noLease = { lease_id: null, holder: null, lease_until: 0 }

/** Runs work in a transaction that has locked the row. Returns undefined if the lease was lost. */
function withLease<Result>(
  store: Store,
  key: ProfileKey,
  leaseId: string,
  work: (transaction: Queryable, row: ProfileRow) => Promise<Result>,
): Promise<Result | undefined> {
  return store.transaction(async (transaction) => {
    const select = transaction
      .selectFrom('profiles')
      .selectAll()
      .where(matchesKey(key))
      .where('lease_id', '=', leaseId)
    const row = await store.lock(select).executeTakeFirst()
    return row && work(transaction, row)
  })
}

function matchesKey({ teamId, name }: ProfileKey) {
  return (row: ExpressionBuilder<Tables, 'profiles'>) => row.and({ team_id: teamId, name })
}
