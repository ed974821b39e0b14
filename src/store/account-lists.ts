import { sql } from 'kysely'
import type { Queryable } from './schema.ts'

export interface TeamPage {
  /** The last id of the page before. */
  after?: string | undefined
  /** Only this team. */
  id?: string | undefined
  limit: number
}

/** Teams, oldest first, with how many keys they have that are not revoked. */
export function listTeams(query: Queryable, page: TeamPage) {
  let select = query
    .selectFrom('teams')
    .selectAll('teams')
    .select(
      sql<number>`(select count(*) from keys where team_id = teams.id and revoked_at is null)`.as('keys'),
    )
    .where('teams.deleted_at', 'is', null)
    .orderBy('teams.id')
    .limit(page.limit)
  if (page.id !== undefined) select = select.where('teams.id', '=', page.id)
  if (page.after !== undefined) select = select.where('teams.id', '>', page.after)
  return select.execute()
}
