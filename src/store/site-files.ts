import type { Queryable, SiteFileRow } from './schema.ts'

export type { SiteFileRow } from './schema.ts'

export function findSiteFile(
  query: Queryable,
  wanted: { teamId: string; url: string; fetchedAfter: number },
): Promise<SiteFileRow | undefined> {
  return query
    .selectFrom('site_files')
    .selectAll()
    .where('team_id', '=', wanted.teamId)
    .where('url', '=', wanted.url)
    .where('fetched_at', '>=', wanted.fetchedAfter)
    .executeTakeFirst()
}

/** Stores the newest version of a file in place of the one before it. */
export async function storeSiteFile(query: Queryable, file: SiteFileRow): Promise<void> {
  const { team_id: _, url: __, ...changing } = file
  await query
    .insertInto('site_files')
    .values(file)
    .onConflict((conflict) => conflict.columns(['team_id', 'url']).doUpdateSet(changing))
    .execute()
}

/** Removes files fetched before a moment, some at a time. Returns their number. */
export async function removeSiteFilesBefore(query: Queryable, moment: number): Promise<number> {
  const old = query.selectFrom('site_files').select(['team_id', 'url']).where('fetched_at', '<', moment)
  const rows = await old.limit(500).execute()
  for (const row of rows) {
    await query
      .deleteFrom('site_files')
      .where('team_id', '=', row.team_id)
      .where('url', '=', row.url)
      .execute()
  }
  return rows.length
}
