import { type Kysely, sql } from 'kysely'

/** Creates browser sessions with their team, their owner process and their end. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('scrape_id', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('home', 'text', (column) => column.notNull())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('ttl', 'bigint', (column) => column.notNull())
    .addColumn('activity_ttl', 'bigint', (column) => column.notNull())
    .addColumn('stream_web_view', 'bigint', (column) => column.notNull())
    .addColumn('profile_name', 'text')
    .addColumn('profile_save', 'bigint', (column) => column.notNull())
    .addColumn('used_prompt', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_activity', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('reason', 'text')
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .execute()
  // Null values are not equal, so any number of sessions may have no scrape.
  await schema.createIndex('sessions_of_scrape').unique().on('sessions').column('scrape_id').execute()
  await schema.createIndex('sessions_by_team').on('sessions').columns(['team_id', 'id']).execute()
  await schema.createIndex('sessions_by_end').on('sessions').column('ended_at').execute()
  await schema
    .createIndex('sessions_active')
    .on('sessions')
    .column('team_id')
    .where(sql.ref('status'), '=', sql.lit('active'))
    .execute()
}
