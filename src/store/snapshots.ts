import { sql } from 'kysely'
import { bounds } from '../platform/bounds.ts'
import { recordUnusedBlobs } from './blob-names.ts'
import type { Queryable, SnapshotRow, SnapshotVersionRow, Store } from './schema.ts'

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

/** What is to be kept, and whether the version that it takes the place of is kept as well. */
export interface NewSnapshot {
  row: SnapshotRow
  keepsOlder: boolean
}

/**
 * Keeps what belongs to one version, each in place of an older one, never of a newer one: of two scrapes at once the page
 * that was fetched last stays, whichever ends last.
 */
export function storeSnapshots(store: Store, snapshots: readonly NewSnapshot[]): Promise<void> {
  return store.transaction(async (transaction) => {
    // In the order given, which is the same for every scrape of a page: two of them never wait for each other.
    for (const snapshot of snapshots) await keepSnapshot(store, transaction, snapshot)
  })
}

async function keepSnapshot(
  store: Store,
  transaction: Queryable,
  { row, keepsOlder }: NewSnapshot,
): Promise<void> {
  // A row that is not there yet cannot be locked: inserting first makes the second of two wait for the first.
  const inserted = await transaction
    .insertInto('snapshots')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) > 0n) return
  const { team_id, snapshot_key, first_seen: _, since, ...newer } = row
  const kept = transaction
    .selectFrom('snapshots')
    .selectAll()
    .where('team_id', '=', team_id)
    .where('snapshot_key', '=', snapshot_key)
  const older = await store.lock(kept).executeTakeFirstOrThrow()
  // No row has named this blob, so no trigger notes it.
  if (older.scraped_at > row.scraped_at)
    return recordUnusedBlobs(transaction, row.blob === null ? [] : [row.blob], row.scraped_at)
  await transaction
    .updateTable('snapshots')
    .set({ ...newer, since: keepsOlder ? since : older.since })
    .where('team_id', '=', team_id)
    .where('snapshot_key', '=', snapshot_key)
    .execute()
  if (keepsOlder) await keepVersion(transaction, older)
}

/** The last version and those before it. */
const mostBefore = bounds.MAX_VERSIONS.most - 1

/** Stores a version that was the last one, in place of the oldest beyond the maximum. */
async function keepVersion(transaction: Queryable, older: SnapshotRow): Promise<void> {
  const { team_id, snapshot_key, body, blob, size, since, scraped_at } = older
  const inserted = await transaction
    .insertInto('snapshot_versions')
    .values({ team_id, snapshot_key, body, blob, size, since, scraped_at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((inserted.numInsertedOrUpdatedRows ?? 0n) === 0n) return
  const versions = await transaction
    .selectFrom('snapshot_versions')
    .select('since')
    .where('team_id', '=', team_id)
    .where('snapshot_key', '=', snapshot_key)
    .orderBy('since', 'desc')
    .execute()
  const tooOld = versions.slice(mostBefore).map((version) => version.since)
  if (tooOld.length === 0) return
  await transaction
    .deleteFrom('snapshot_versions')
    .where('team_id', '=', team_id)
    .where('snapshot_key', '=', snapshot_key)
    .where('since', 'in', tooOld)
    .execute()
}

/** Notes that a page is gone; its last version stays. */
export async function recordRemoved(query: Queryable, teamId: string, snapshotKey: string): Promise<void> {
  await query
    .updateTable('snapshots')
    .set({ last_status: 'removed' })
    .where('team_id', '=', teamId)
    .where('snapshot_key', '=', snapshotKey)
    .execute()
}

/** A tracked page without its text. */
export type TrackedRow = Omit<SnapshotRow, 'body' | 'blob'> & { versions: number }

/** A place in the list. */
export interface TrackedPageCursor {
  scrapedAt: number
  key: string
}

/** Pages that a team tracks, those that were seen last first. */
export function listTracked(
  query: Queryable,
  which: { teamId: string; search: string | undefined; before: TrackedPageCursor | undefined; limit: number },
): Promise<TrackedRow[]> {
  const { search, before } = which
  return tracked(query, which.teamId)
    .$if(search !== undefined, (some) =>
      some.where(sql<boolean>`lower(url) like ${`%${escaped(search?.toLowerCase() ?? '')}%`} escape '\\'`),
    )
    .$if(before !== undefined, (rest) =>
      rest.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('scraped_at', 'snapshot_key'), '<', tuple(before?.scrapedAt ?? 0, before?.key ?? '')),
      ),
    )
    .orderBy('scraped_at', 'desc')
    .orderBy('snapshot_key', 'desc')
    .limit(which.limit)
    .execute()
}

export function findTracked(query: Queryable, teamId: string, key: string): Promise<TrackedRow | undefined> {
  return tracked(query, teamId).where('snapshot_key', '=', key).executeTakeFirst()
}

const shown = [
  ...(['team_id', 'snapshot_key', 'url', 'tag', 'redacted', 'part'] as const),
  ...(['size', 'since', 'scraped_at', 'first_seen', 'last_status'] as const),
]

function tracked(query: Queryable, teamId: string) {
  return query
    .selectFrom('snapshots')
    .select(shown)
    .select(
      sql<number>`1 + (select count(*) from snapshot_versions as older
        where older.team_id = snapshots.team_id and older.snapshot_key = snapshots.snapshot_key)`.as(
        'versions',
      ),
    )
    .where('team_id', '=', teamId)
    .where('part', '=', 'text')
}

/** In a pattern these stand for others. */
const escaped = (text: string) => text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)

/** A version without its text. */
export type VersionRow = Pick<SnapshotVersionRow, 'since' | 'scraped_at' | 'size'>

/** The versions before the last, the newest first. */
export function listVersions(query: Queryable, teamId: string, key: string): Promise<VersionRow[]> {
  return query
    .selectFrom('snapshot_versions')
    .select(['since', 'scraped_at', 'size'])
    .where('team_id', '=', teamId)
    .where('snapshot_key', '=', key)
    .orderBy('since', 'desc')
    .execute()
}

/** A version with its text, wherever it is kept. */
export async function findVersion(
  query: Queryable,
  { teamId, key, since }: { teamId: string; key: string; since: number },
): Promise<Pick<SnapshotVersionRow, 'body' | 'blob'> | undefined> {
  for (const table of ['snapshots', 'snapshot_versions'] as const) {
    const found = await query
      .selectFrom(table)
      .select(['body', 'blob'])
      .where('team_id', '=', teamId)
      .where('snapshot_key', '=', key)
      .where('since', '=', since)
      .executeTakeFirst()
    if (found) return found
  }
  return undefined
}
