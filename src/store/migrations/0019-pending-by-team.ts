import type { Kysely } from 'kysely'

/** Pages that wait to be indexed are claimed by team, so that a team with many does not delay the others. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('search_pending_by_team')
    .on('search_pending')
    .columns(['team_id', 'claimed_until', 'id'])
    .execute()
}
