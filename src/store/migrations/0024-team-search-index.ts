import type { Kysely } from 'kysely'

/**
 * Adds a flag for teams whose pages are indexed for search. The default is 1, also for teams that an older version
 * creates.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('teams')
    .addColumn('search_index', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute()
}
