import { type Kysely, sql } from 'kysely'

/** Adds the reason for URLs left waiting to the row of the crawl, and an index of due deliveries by team. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema.alterTable('crawls').addColumn('rest_reason', 'text').execute()
  await schema.alterTable('crawls').addColumn('skipped', 'text').execute()
  await schema
    .createIndex('deliveries_due')
    .on('deliveries')
    .columns(['team_id', 'job_id', 'next_at'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute()
}
