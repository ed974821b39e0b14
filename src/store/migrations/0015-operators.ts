import { type Kysely, sql } from 'kysely'

/** Adds operator keys, the last use of keys, and the number of calls on days whose jobs are removed. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('keys')
    .addColumn('is_operator', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.alterTable('keys').addColumn('last_used_at', 'bigint').execute()
  await schema.createIndex('keys_by_team').on('keys').columns(['team_id', 'id']).execute()
  // Pages of crawls and batches are not calls, and are far more numerous.
  await schema
    .createIndex('jobs_calls')
    .on('jobs')
    .columns(['team_id', 'created_at', 'id'])
    .where(sql.ref('parent_id'), 'is', null)
    .execute()
  await schema
    .createTable('call_days')
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('call_days_key', ['team_id', 'day', 'kind', 'state'])
    .execute()
}
