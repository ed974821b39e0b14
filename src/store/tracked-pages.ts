import { sql } from 'kysely'
import type { Queryable, SnapshotRow, SnapshotVersionRow } from './schema.ts'

/** A tracked page without its text. */
export type TrackedRow = Omit<SnapshotRow, 'body' | 'blob'> & { versions: number }

/** A place in the list. */
export interface TrackedPlace {
  scrapedAt: number
  key: string
}

/** Pages that a team tracks, those that were seen last first. */
export function listTracked(
  query: Queryable,
  which: { teamId: string; search: string | undefined; before: TrackedPlace | undefined; limit: number },
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
  'team_id',
  'snapshot_key',
  'url',
  'tag',
  'redacted',
  'part',
  'size',
  'since',
  'scraped_at',
  'first_seen',
  'last_status',
] as const

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
