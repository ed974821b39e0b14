import type { Kysely } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('snapshots')
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('snapshot_key', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    // SQLite accepts any name for a type and stores bytes as bytes.
    .addColumn('body', 'bytea')
    .addColumn('blob', 'text')
    .addColumn('scraped_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshots_once', ['team_id', 'snapshot_key'])
    .execute()
}
