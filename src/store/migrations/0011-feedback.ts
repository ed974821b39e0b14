import type { Kysely } from 'kysely'

/** Adds feedback of callers on the results of jobs, and the credits refunded for it per day. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('feedback')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('job_id', 'text', (column) => column.notNull().unique())
    .addColumn('endpoint', 'text', (column) => column.notNull())
    .addColumn('rating', 'text', (column) => column.notNull())
    .addColumn('content', 'text')
    .addColumn('refunded', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('feedback_by_team').on('feedback').columns(['team_id', 'id']).execute()
  await schema.createIndex('feedback_by_age').on('feedback').column('created_at').execute()
  await schema
    .createTable('refunds')
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('refunds_key', ['team_id', 'day'])
    .execute()
}
