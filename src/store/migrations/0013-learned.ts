import type { Kysely } from 'kysely'

/** Adds the learned locators of values on the pages of a site, per team. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('learned')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id').onDelete('cascade'))
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('memory', 'text', (column) => column.notNull())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('learned_by_use').on('learned').columns(['team_id', 'used_at']).execute()
  await schema.createIndex('learned_by_age').on('learned').column('used_at').execute()
}
