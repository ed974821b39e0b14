import type { Kysely } from 'kysely'

/** What happened on the way of a job, for readers who ask why it came out like this. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('jobs').addColumn('trace', 'text').execute()
}
