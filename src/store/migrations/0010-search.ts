import type { Kysely } from 'kysely'

/** Adds stored pages that wait to be indexed, and the times of page changes according to sitemaps. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('search_pending')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('fields', 'bytea', (column) => column.notNull())
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('claimed_until', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .execute()
  await schema.alterTable('frontier').addColumn('modified_at', 'bigint').execute()
}
