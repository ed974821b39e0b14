import type { Kysely } from 'kysely'

/** Adds the metadata that is read when a page is stored, so that the page need not be parsed again for it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('pages').addColumn('notes', 'text').execute()
}
