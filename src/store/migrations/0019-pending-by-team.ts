import type { Kysely } from 'kysely'

/** Adds an index for claiming pending pages by team, so that a team with many pages does not delay other teams. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createIndex('search_pending_by_team')
    .on('search_pending')
    .columns(['team_id', 'claimed_until', 'id'])
    .execute()
}
