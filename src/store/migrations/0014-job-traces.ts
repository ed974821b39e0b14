import type { Kysely } from 'kysely'

/** Adds the trace of a job, which explains its result. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('jobs').addColumn('trace', 'text').execute()
}
