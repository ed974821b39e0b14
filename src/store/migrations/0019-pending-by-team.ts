import type { Kysely } from 'kysely'

/** Pages that wait to be indexed are taken by team, so that a team with many does not keep the others waiting. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('search_pending_by_team')
    .on('search_pending')
    .columns(['team_id', 'claimed_until', 'id'])
    .execute()
}
