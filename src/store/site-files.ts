import { hasValues } from './prepared.ts'
import type { Queryable, SiteFileRow } from './schema.ts'

export type { SiteFileRow } from './schema.ts'

export function findSiteFile(
  query: Queryable,
  options: { teamId: string; url: string; fetchedAfter: number },
): Promise<SiteFileRow | undefined> {
  return query
    .selectFrom('site_files')
    .selectAll()
    .where(hasValues({ team_id: options.teamId, url: options.url }))
    .where('fetched_at', '>=', options.fetchedAfter)
    .executeTakeFirst()
}

export async function storeSiteFile(query: Queryable, file: SiteFileRow): Promise<void> {
  const { team_id: _, url: __, ...changes } = file
  await query
    .insertInto('site_files')
    .values(file)
    .onConflict((conflict) => conflict.columns(['team_id', 'url']).doUpdateSet(changes))
    .execute()
}
