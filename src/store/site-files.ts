import type { Queryable, SiteFileRow } from './schema.ts'

export type { SiteFileRow } from './schema.ts'

export function findSiteFile(
  query: Queryable,
  options: { teamId: string; url: string; fetchedAfter: number },
): Promise<SiteFileRow | undefined> {
  return query
    .selectFrom('site_files')
    .selectAll()
    .where('team_id', '=', options.teamId)
    .where('url', '=', options.url)
    .where('fetched_at', '>=', options.fetchedAfter)
    .executeTakeFirst()
}

/** Stores the newest version of a file in place of the previous one. */
export async function storeSiteFile(query: Queryable, file: SiteFileRow): Promise<void> {
  const { team_id: _, url: __, ...changes } = file
  await query
    .insertInto('site_files')
    .values(file)
    .onConflict((conflict) => conflict.columns(['team_id', 'url']).doUpdateSet(changes))
    .execute()
}

/** Removes some files that were fetched before a time. Returns the number of removed files. */
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
