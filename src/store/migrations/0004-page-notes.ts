import type { Kysely } from 'kysely'

/** What was read of a page when it was kept, so that it need not be parsed again for that. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('pages').addColumn('notes', 'text').execute()
}
