import type { Kysely } from 'kysely'

/** Whether pages of a team are indexed for search. 1: they are, as they are for teams that a process of an older version makes. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('teams')
    .addColumn('search_index', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute()
}
