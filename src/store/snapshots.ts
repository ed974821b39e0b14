import { sql } from 'kysely'
import { bounds } from '../platform/bounds.ts'
import { recordUnusedBlobs } from './blob-names.ts'
import { hasValues, insertIfNew } from './prepared.ts'
import type { Queryable, SnapshotRow, SnapshotVersionRow, Store } from './schema.ts'

export type { SnapshotRow } from './schema.ts'

export function findSnapshot(query: Queryable, teamId: string, snapshotKey: string) {
  return query
    .selectFrom('snapshots')
    .selectAll()
    .where(hasValues({ team_id: teamId, snapshot_key: snapshotKey }))
    .executeTakeFirst()
}

export interface NewSnapshot {
  row: SnapshotRow
  keepsOlder: boolean
}

/** A row never replaces a newer one: of two concurrent scrapes, the page that was fetched last stays. */
export function storeSnapshots(store: Store, snapshots: readonly NewSnapshot[]): Promise<void> {
  return store.transaction(async (transaction) => {
    // The given order is the same for every scrape of a page, which prevents deadlocks.
    for (const snapshot of snapshots) await storeSnapshot(store, transaction, snapshot)
  })
}

async function storeSnapshot(store: Store, transaction: Queryable, { row, keepsOlder }: NewSnapshot) {
  // A missing row cannot be locked. Inserting first makes the second of two transactions wait for the first.
  if (await insertIfNew(transaction, 'snapshots', row)) return
  const { team_id, snapshot_key, first_seen: _, since, ...newer } = row
  const key = hasValues<'snapshots'>({ team_id, snapshot_key })
  const stored = transaction.selectFrom('snapshots').selectAll().where(key)
  const older = await store.lock(stored).executeTakeFirstOrThrow()
  // No row has ever contained the name of this blob, so no trigger records it as unused.
  if (older.scraped_at > row.scraped_at)
    return recordUnusedBlobs(transaction, row.blob === null ? [] : [row.blob], row.scraped_at)
  await transaction
    .updateTable('snapshots')
    .set({ ...newer, since: keepsOlder ? since : older.since })
    .where(key)
    .execute()
  if (keepsOlder) await storeVersion(transaction, older)
}

const maxOlderVersions = bounds.MAX_VERSIONS.most - 1

async function storeVersion(transaction: Queryable, older: SnapshotRow): Promise<void> {
  const { team_id, snapshot_key, body, blob, size, since, scraped_at } = older
  const version = { team_id, snapshot_key, body, blob, size, since, scraped_at }
  if (!(await insertIfNew(transaction, 'snapshot_versions', version))) return
  const key = hasValues<'snapshot_versions'>({ team_id, snapshot_key })
  const versions = await transaction
    .selectFrom('snapshot_versions')
    .select('since')
    .where(key)
    .orderBy('since', 'desc')
    .execute()
  const surplus = versions.slice(maxOlderVersions).map((version) => version.since)
  if (surplus.length === 0) return
  await transaction.deleteFrom('snapshot_versions').where(key).where('since', 'in', surplus).execute()
}

export async function recordRemoved(query: Queryable, teamId: string, snapshotKey: string): Promise<void> {
  await query
    .updateTable('snapshots')
    .set({ last_status: 'removed' })
    .where(hasValues({ team_id: teamId, snapshot_key: snapshotKey }))
    .execute()
}

export type TrackedRow = Omit<SnapshotRow, 'body' | 'blob'> & { versions: number }

export function listTracked(
  query: Queryable,
  options: {
    teamId: string
    search: string | undefined
    before: { scrapedAt: number; key: string } | undefined
    limit: number
  },
): Promise<TrackedRow[]> {
  const { search, before } = options
  return selectTracked(query, options.teamId)
    .$if(search !== undefined, (filtered) =>
      filtered.where(
        sql<boolean>`lower(url) like ${`%${escapePattern(search?.toLowerCase() ?? '')}%`} escape '\\'`,
      ),
    )
    .$if(before !== undefined, (filtered) =>
      filtered.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('scraped_at', 'snapshot_key'), '<', tuple(before?.scrapedAt ?? 0, before?.key ?? '')),
      ),
    )
    .orderBy('scraped_at', 'desc')
    .orderBy('snapshot_key', 'desc')
    .limit(options.limit)
    .execute()
}

export function findTracked(query: Queryable, teamId: string, key: string): Promise<TrackedRow | undefined> {
  return selectTracked(query, teamId).where('snapshot_key', '=', key).executeTakeFirst()
}

const trackedColumns = [
  ...(['team_id', 'snapshot_key', 'url', 'tag', 'redacted', 'part'] as const),
  ...(['size', 'since', 'scraped_at', 'first_seen', 'last_status'] as const),
]

function selectTracked(query: Queryable, teamId: string) {
  return query
    .selectFrom('snapshots')
    .select(trackedColumns)
    .select(
      sql<number>`1 + (select count(*) from snapshot_versions as older
        where older.team_id = snapshots.team_id and older.snapshot_key = snapshots.snapshot_key)`.as(
        'versions',
      ),
    )
    .where(hasValues({ team_id: teamId, part: 'text' }))
}

const escapePattern = (text: string) => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)

export type VersionRow = Pick<SnapshotVersionRow, 'since' | 'scraped_at' | 'size'>

export function listVersions(query: Queryable, teamId: string, key: string): Promise<VersionRow[]> {
  return query
    .selectFrom('snapshot_versions')
    .select(['since', 'scraped_at', 'size'])
    .where(hasValues({ team_id: teamId, snapshot_key: key }))
    .orderBy('since', 'desc')
    .execute()
}

export async function findVersion(
  query: Queryable,
  { teamId, key, since }: { teamId: string; key: string; since: number },
): Promise<Pick<SnapshotVersionRow, 'body' | 'blob'> | undefined> {
  for (const table of ['snapshots', 'snapshot_versions'] as const) {
    const version = await query
      .selectFrom(table)
      .select(['body', 'blob'])
      .where(hasValues({ team_id: teamId, snapshot_key: key, since }))
      .executeTakeFirst()
    if (version) return version
  }
  return undefined
}
