import { type Kysely, sql } from 'kysely'

/** What a crawl left waiting is told by one row, and what waits to be delivered is found by its team. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema.alterTable('crawls').addColumn('rest_reason', 'text').execute()
  await schema.alterTable('crawls').addColumn('skipped', 'text').execute()
  await schema.dropIndex('deliveries_waiting').execute()
  await schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['team_id', 'job_id', 'stage', 'id'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute()
}
