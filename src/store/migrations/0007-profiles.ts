import type { Kysely } from 'kysely'

/** Creates browser storage that teams save under a name. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('profiles')
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('blob', 'text')
    .addColumn('spare_blob', 'text')
    .addColumn('saved_at', 'bigint')
    .addColumn('lease_id', 'text')
    .addColumn('holder', 'text')
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('profiles_once', ['team_id', 'name'])
    .execute()
}
