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

export async function takeProfileLease(query: Queryable, key: ProfileKey, lease: ProfileLeaseRow) {
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

export async function recordNextBlob(store: Store, key: ProfileKey, next: { leaseId: string; blob: string }) {
  const row = await changeWithLease(store, key, next.leaseId, () => ({ spare_blob: next.blob }))
  return row && { unused: row.spare_blob }
}

export async function activateBlob(
  store: Store,
  key: ProfileKey,
  next: { leaseId: string; blob: string; now: number },
): Promise<{ unused: string | null } | undefined> {
  // The old blob stays recorded until it is certainly deleted: the next save or removal deletes it again.
  const change = ({ blob }: ProfileRow) => ({ blob: next.blob, spare_blob: blob, saved_at: next.now })
  const row = await changeWithLease(store, key, next.leaseId, change)
  return row && { unused: row.blob }
}

/** The blob stays recorded until it is certainly deleted. Returns false if the lease was lost. */
export async function emptyProfile(store: Store, key: ProfileKey, leaseId: string): Promise<boolean> {
  const change = ({ blob }: ProfileRow) => ({ blob: null, spare_blob: blob, saved_at: null })
  return (await changeWithLease(store, key, leaseId, change)) !== undefined
}

/** Ends a lease. A profile without contents and without a blob to delete leaves no row. */
export async function endProfileLease(store: Store, key: ProfileKey, lease: { id: string; isGone: boolean }) {
  await changeWithLease(store, key, lease.id, ({ blob, spare_blob }) =>
    lease.isGone || (blob === null && spare_blob === null) ? 'delete' : noLease,
  )
}

export async function dropProfileLeases(query: Queryable): Promise<void> {
  await query.updateTable('profiles').set(noLease).where('lease_until', '>', 0).execute()
}

const noLease = { lease_id: null, holder: null, lease_until: 0 }

/** Returns the locked row as it was before the change; undefined if the lease was lost. */
function changeWithLease(
  store: Store,
  key: ProfileKey,
  leaseId: string,
  change: (row: ProfileRow) => Partial<ProfileRow> | 'delete',
): Promise<ProfileRow | undefined> {
  return store.transaction(async (transaction) => {
    const profiles = transaction.selectFrom('profiles').selectAll().where(matchesKey(key))
    const row = await store.lock(profiles.where('lease_id', '=', leaseId)).executeTakeFirst()
    const changes = row && change(row)
    if (changes === 'delete') await transaction.deleteFrom('profiles').where(matchesKey(key)).execute()
    else if (changes) await transaction.updateTable('profiles').set(changes).where(matchesKey(key)).execute()
    return row
  })
}

function matchesKey({ teamId, name }: ProfileKey) {
  return (row: ExpressionBuilder<Tables, 'profiles'>) => row.and({ team_id: teamId, name })
}
