import { sql } from 'kysely'
import type { Queryable } from './schema.ts'

export interface TeamPage {
  /** The last id of the page before. */
  after?: string | undefined
  /** Only this team. */
  id?: string | undefined
  /** From when on charges count as used. */
  since: number
  limit: number
}

/** Teams, oldest first, with their living keys and what they were charged since a moment. */
export function listTeams(query: Queryable, page: TeamPage) {
  let select = query
    .selectFrom('teams')
    .selectAll('teams')
    .select([
      sql<number>`(select count(*) from keys where team_id = teams.id and revoked_at is null)`.as('keys'),
      sql<number>`(
        select coalesce(-sum(credits), 0) from ledger
        where team_id = teams.id and job_id is not null and created_at >= ${page.since}
      )`.as('used'),
    ])
    .orderBy('teams.id')
    .limit(page.limit)
  if (page.id !== undefined) select = select.where('teams.id', '=', page.id)
  if (page.after !== undefined) select = select.where('teams.id', '>', page.after)
  return select.execute()
}
