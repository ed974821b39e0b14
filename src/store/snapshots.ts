import type { Queryable, SnapshotRow, Store } from './schema.ts'

export type { SnapshotRow } from './schema.ts'

/** The last version of a page that a team has tracked. */
export function findSnapshot(
  query: Queryable,
  teamId: string,
  snapshotKey: string,
): Promise<SnapshotRow | undefined> {
  return query
    .selectFrom('snapshots')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('snapshot_key', '=', snapshotKey)
    .executeTakeFirst()
}

/**
 * Keeps what belongs to one version, each in place of an older one, never of a newer one: of two scrapes at once the page
 * that was fetched last stays, whichever ends last. Answers the blobs that nothing points to after that: the older ones',
 * or these.
 */
export function keepSnapshots(store: Store, snapshots: readonly SnapshotRow[]): Promise<string[]> {
  return store.transaction(async (transaction) => {
    const unused: (string | null)[] = []
    // In the order given, which is the same for every scrape of a page: two of them never wait for each other.
    for (const snapshot of snapshots) unused.push(await keepSnapshot(store, transaction, snapshot))
    return unused.filter((blob) => blob !== null)
  })
}

async function keepSnapshot(
  store: Store,
  transaction: Queryable,
  snapshot: SnapshotRow,
): Promise<string | null> {
  // A row that is not there yet cannot be locked: inserting first makes the second of two wait for the first.
  const inserted = await transaction
    .insertInto('snapshots')
    .values(snapshot)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return null
  const kept = transaction
    .selectFrom('snapshots')
    .select(['blob', 'scraped_at'])
    .where('team_id', '=', snapshot.team_id)
    .where('snapshot_key', '=', snapshot.snapshot_key)
  const older = await store.lock(kept).executeTakeFirstOrThrow()
  if (older.scraped_at > snapshot.scraped_at) return snapshot.blob
  const { team_id, snapshot_key, ...newer } = snapshot
  await transaction
    .updateTable('snapshots')
    .set(newer)
    .where('team_id', '=', team_id)
    .where('snapshot_key', '=', snapshot_key)
    .execute()
  return older.blob
}
