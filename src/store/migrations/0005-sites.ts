import { type Kysely, sql } from 'kysely'

/** Creates crawls with their frontier, webhooks with their deliveries, and files that describe a site. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('teams').addColumn('webhook_secret', 'text').execute()
  await changeJobs(database)
  await createCrawls(database)
  await createWebhooks(database)
  await createSiteFiles(database)
}

async function changeJobs({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('jobs')
    .addColumn('queued_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.dropIndex('jobs_queued').execute()
  await schema
    .createIndex('jobs_queued')
    .on('jobs')
    .columns(['takes_slot', 'team_id', 'queued_at', 'id'])
    .where(sql.ref('state'), '=', sql.lit('queued'))
    .execute()
  // Contains all columns for counting and listing the children of a job, so that neither reads results.
  await schema.dropIndex('jobs_by_parent').execute()
  await schema
    .createIndex('jobs_by_parent')
    .on('jobs')
    .columns(['parent_id', 'state', 'takes_slot', 'finished_at', 'id', 'credits'])
    .execute()
  await schema
    .createIndex('jobs_held')
    .on('jobs')
    .columns(['takes_slot', 'team_id', 'id'])
    .where(sql.ref('state'), '=', sql.lit('held'))
    .execute()
  await schema
    .createIndex('jobs_callers')
    .on('jobs')
    .columns(['takes_slot', 'team_id', 'lease_until', 'id'])
    .where(sql.ref('state'), '=', sql.lit('queued'))
    .where(sql.ref('foreground'), '=', sql.lit(1))
    .execute()
  // The reaper and lease holders query these every few seconds, which must not read ended jobs.
  await schema
    .createIndex('jobs_overdue')
    .on('jobs')
    .column('deadline_at')
    .where(sql.ref('state'), '=', sql.lit('queued'))
    .execute()
  await schema
    .createIndex('jobs_leased')
    .on('jobs')
    .column('leased_by')
    .where(sql.ref('leased_by'), 'is not', null)
    .execute()
}

async function createCrawls({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('crawls')
    .addColumn('job_id', 'text', (column) => column.primaryKey())
    .addColumn('options', 'text', (column) => column.notNull())
    .addColumn('price', 'bigint', (column) => column.notNull())
    .addColumn('most_living', 'bigint', (column) => column.notNull())
    .addColumn('room', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'bigint', (column) => column.notNull())
    .addColumn('delay', 'bigint', (column) => column.notNull())
    .addColumn('known', 'bigint', (column) => column.notNull())
    .addColumn('notes', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createTable('frontier')
    .addColumn('crawl_id', 'text', (column) => column.notNull())
    .addColumn('url_key', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('depth', 'bigint', (column) => column.notNull())
    .addColumn('external', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('job_id', 'text')
    .addPrimaryKeyConstraint('frontier_once', ['crawl_id', 'url_key'])
    .execute()
  await schema
    .createIndex('frontier_in_turn')
    .on('frontier')
    .columns(['crawl_id', 'state', 'depth', 'id'])
    .execute()
}

async function createWebhooks({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('webhooks')
    .addColumn('job_id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text')
    .addColumn('events', 'text', (column) => column.notNull())
    .execute()
  await schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('child_id', 'text')
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('stage', 'bigint', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint', (column) => column.notNull())
    .addColumn('log', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint')
    .execute()
  // Contains only pending deliveries, so finding them costs the same however many were delivered.
  await schema
    .createIndex('deliveries_waiting')
    .on('deliveries')
    .columns(['job_id', 'stage', 'id'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute()
  await schema.createIndex('deliveries_by_job').on('deliveries').columns(['job_id', 'id']).execute()
  await schema.createIndex('deliveries_by_team').on('deliveries').columns(['team_id', 'id']).execute()
}

async function createSiteFiles({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('site_files')
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('status', 'bigint', (column) => column.notNull())
    .addColumn('content_type', 'text')
    // SQLite accepts any name for a type and stores bytes as bytes.
    .addColumn('body', 'bytea')
    .addColumn('blob', 'text')
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('site_files_once', ['team_id', 'url'])
    .execute()
  await schema.createIndex('site_files_by_age').on('site_files').column('fetched_at').execute()
}
